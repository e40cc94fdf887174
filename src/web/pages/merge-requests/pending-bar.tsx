import type { ComponentChildren } from 'preact'

import styles from './pending-bar.module.css'

/** What was gathered and not sent, with what sends it; it stays in sight at the end of the page. */
export function PendingBar({ children }: { children: ComponentChildren }) {
  return (
    <div class={styles['bar']} role="status">
      {children}
    </div>
  )
}
