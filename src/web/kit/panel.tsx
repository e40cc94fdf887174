import type { ComponentChildren } from 'preact'

import { classNames } from './class-names.js'
import { PageActions } from './page-actions.js'
import styles from './panel.module.css'

interface PanelProps {
  title?: ComponentChildren
  /** Buttons at the right end of the heading. */
  actions?: ComponentChildren
  /** Without padding, for tables and lists that reach the border. */
  isFlush?: boolean
  children: ComponentChildren
  class?: string | undefined
  id?: string
}

/** A part of a page with a border and, mostly, a heading. */
export function Panel({ title, actions, isFlush = false, children, class: className, id }: PanelProps) {
  return (
    <section id={id} class={classNames(styles['panel'], className)}>
      {(title !== undefined || actions !== undefined) && (
        <header class={styles['header']}>
          {title !== undefined && <h2 class={styles['title']}>{title}</h2>}
          {actions !== undefined && <div class={styles['actions']}>{actions}</div>}
        </header>
      )}
      <div class={isFlush ? undefined : styles['body']}>{children}</div>
    </section>
  )
}

/** The border of a panel, without a heading; a section of the page if it has a name. */
export function Box({
  label,
  children,
  class: className,
}: {
  label?: string
  children: ComponentChildren
  class?: string | undefined
}) {
  const Element = label === undefined ? 'div' : 'section'
  return (
    <Element class={classNames(styles['panel'], className)} aria-label={label}>
      {children}
    </Element>
  )
}

/** Panels, one below the other. */
export function Panels({ children }: { children: ComponentChildren }) {
  return (
    <div class={styles['panels']} data-stacked="">
      {children}
    </div>
  )
}

/** The heading of a page: its only `h1`, a line of details, and the main actions. */
export function PageHeader({
  title,
  details,
  actions,
}: {
  title: ComponentChildren
  details?: ComponentChildren
  actions?: ComponentChildren
}) {
  return (
    <header class={styles['pageHeader']}>
      <div class={styles['pageTitle']}>
        <h1 tabIndex={-1}>{title}</h1>
        {details !== undefined && <div class={styles['details']}>{details}</div>}
      </div>
      {actions !== undefined && <PageActions>{actions}</PageActions>}
    </header>
  )
}
