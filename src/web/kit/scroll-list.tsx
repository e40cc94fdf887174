import type { ComponentChildren } from 'preact'

import styles from './scroll-list.module.css'

interface ScrollListProps {
  label: string
  /** `li` elements. */
  children: ComponentChildren
}

/** A list inside a dialog, which scrolls by itself if it is long. */
export function ScrollList({ label, children }: ScrollListProps) {
  return (
    <ul class={styles['list']} aria-label={label}>
      {children}
    </ul>
  )
}
