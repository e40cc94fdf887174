import type { ComponentChildren } from 'preact'

import { RefPicker } from '../../code/ref-picker.js'
import styles from './code-header.module.css'
import { Crumbs } from './crumbs.js'

interface CodeHeaderProps {
  project: string
  refName: string
  path: string
  /** The address of the same page for another branch or tag. */
  hrefOf: (name: string) => string
  /** What the page shows of the path, before it in the heading. */
  label?: string
  children?: ComponentChildren
}

/** The heading of a page about a path: branch or tag, the path itself, and what can be done with it. */
export function CodeHeader({ project, refName, path, hrefOf, label, children }: CodeHeaderProps) {
  return (
    <header class={styles['header']}>
      <RefPicker project={project} current={refName} hrefOf={hrefOf} />
      <h1 tabIndex={-1} class={styles['path']}>
        {label !== undefined && <span class={styles['label']}>{label}</span>}
        <Crumbs project={project} refName={refName} path={path} />
      </h1>
      <div class={styles['actions']}>{children}</div>
    </header>
  )
}
