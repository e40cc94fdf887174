import { CloudOff } from 'lucide'

import { Icon } from '../kit/icon.js'
import { useConnection } from '../live/use-live.js'
import styles from './connection.module.css'

/** Says that the page does not follow changes, once that has lasted for a while. */
export function Connection() {
  if (useConnection() !== 'lost') return null
  return (
    <div class={styles['connection']} role="status">
      <Icon icon={CloudOff} /> Not live, trying again
    </div>
  )
}
