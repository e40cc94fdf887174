import type { ComponentChildren } from 'preact'

import { classNames } from './class-names.js'
import styles from './tools.module.css'

/** What searches and filters a list, and other controls, above it. */
export function Tools({
  children,
  class: className,
}: {
  children: ComponentChildren
  class?: string | undefined
}) {
  return <div class={classNames(styles['tools'], className)}>{children}</div>
}
