import type { ComponentChildren } from 'preact'

import styles from './record-columns.module.css'

/** The text and the discussion of an issue or merge request, with its properties beside them. */
export function RecordColumns({ children, side }: { children: ComponentChildren; side: ComponentChildren }) {
  return (
    <div class={styles['columns']}>
      <div class={styles['main']}>{children}</div>
      <aside class={styles['side']} aria-label="Properties">
        {side}
      </aside>
    </div>
  )
}
