import type { ComponentChildren } from 'preact'

import styles from './badge.module.css'
import { classNames } from './class-names.js'

/** A short word about a record: a role, a tag, a visibility. */
export function Badge({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'failed'
  title?: string | undefined
  children: ComponentChildren
}) {
  return (
    <span class={classNames(styles['badge'], styles[tone])} title={title}>
      {children}
    </span>
  )
}
