import { CloudOff, Hourglass } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { isServerAbsent } from '../api/is-server-absent.js'
import { useWaitingUntil } from '../api/waits.js'
import { Icon } from '../kit/icon.js'
import { clockTime } from '../kit/time.js'
import { useConnection } from '../live/use-live.js'
import styles from './connection.module.css'

/** Interval between requests while the server cannot be reached, in milliseconds. */
const INTERVAL = 5000

/** Says that the page waits because of too many requests, or that it does not follow changes, once that has lasted. */
export function Connection() {
  const isLost = useConnection() === 'lost'
  const until = useWaitingUntil()
  if (until === undefined && !isLost) return null
  return (
    <div class={styles['connection']} role="status">
      {until === undefined ? (
        <>
          <Icon icon={CloudOff} /> Not live, trying again
        </>
      ) : (
        <>
          <Icon icon={Hourglass} /> Too many requests. The page continues by itself at {clockTime(until)}.
        </>
      )}
    </div>
  )
}

/**
 * Whether the server cannot be reached. After the stream is lost, requests find this out, because a stream can be lost
 * for other reasons: a proxy ends it, or the session has ended, which these requests detect.
 */
export function useOffline(): boolean {
  const isLost = useConnection() === 'lost'
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    if (!isLost) {
      setOffline(false)
      return undefined
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCurrent = true
    const ask = async () => {
      const isAbsent = await isServerAbsent()
      if (!isCurrent) return
      setOffline(isAbsent)
      timer = setTimeout(() => void ask(), INTERVAL)
    }
    void ask()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isLost])
  return isOffline
}
