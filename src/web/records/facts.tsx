import type { ComponentChildren } from 'preact'

import { classNames } from '../kit/class-names.js'
import styles from './facts.module.css'

interface FactsProps {
  /** With a border of their own, at the top of a page. */
  isBox?: boolean
  children: ComponentChildren
  class?: string | undefined
}

/** What is known of a record at a glance: `Fact` elements in columns. */
export function Facts({ isBox = false, children, class: className }: FactsProps) {
  return <dl class={classNames(styles['facts'], isBox && styles['box'], className)}>{children}</dl>
}

export function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
