import { useEffect, useRef } from 'preact/hooks'

import type { NextPage } from '../api/use-read.js'
import { Button } from '../kit/button.js'
import styles from './load-more.module.css'
import { Missing } from './missing.js'

interface LoadMoreProps {
  /** What is listed, such as "projects". */
  of: string
  /** Undefined at the end of the list. */
  next: NextPage | undefined
}

/**
 * At the end of a list that has more pages: reads the next one when it comes into sight, or by its button. A page that
 * could not be read is tried again by its button only.
 */
export function LoadMore({ of, next }: LoadMoreProps) {
  const box = useRef<HTMLDivElement>(null)
  const read = useRef(next?.read)
  read.current = next?.read
  const waits = next !== undefined && !next.isBusy && next.error === null
  useEffect(() => {
    const element = box.current
    if (!element || !waits) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) read.current?.()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [waits])
  if (!next) return null
  return (
    <div ref={box} class={styles['more']}>
      {next.error ? (
        <Missing what={`More ${of}`} failure={{ error: next.error, retry: next.read }} />
      ) : (
        <Button isChange={false} isBusy={next.isBusy} onClick={next.read}>
          {next.isBusy ? 'Loading…' : `Show more ${of}`}
        </Button>
      )}
    </div>
  )
}
