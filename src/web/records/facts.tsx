import type { ComponentChildren } from 'preact'

import { classNames } from '../kit/class-names.js'
import styles from './facts.module.css'

/** What is known of a record at a glance: `Fact` elements in columns. */
export function Facts({
  children,
  class: className,
}: {
  children: ComponentChildren
  class?: string | undefined
}) {
  return <dl class={classNames(styles['facts'], className)}>{children}</dl>
}

export function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
