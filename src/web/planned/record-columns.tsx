import type { ComponentChildren } from 'preact'

import { useNarrow } from '../kit/use-narrow.js'
import styles from './record-columns.module.css'

/**
 * The text and the discussion of an issue or merge request, with its properties beside them. Where there is no room, the
 * properties are folded above.
 */
export function RecordColumns({ children, side }: { children: ComponentChildren; side: ComponentChildren }) {
  const isNarrow = useNarrow(800)
  return (
    <div class={styles['columns']}>
      <div class={styles['main']}>
        {isNarrow && (
          <details class={styles['folded']}>
            <summary>Properties</summary>
            {side}
          </details>
        )}
        {children}
      </div>
      {!isNarrow && (
        <aside class={styles['side']} aria-label="Properties">
          {side}
        </aside>
      )}
    </div>
  )
}
