import type { ComponentChildren } from 'preact'

import { classNames } from '../kit/class-names.js'
import { Tabs } from '../kit/tabs.js'
import styles from './file-bar.module.css'

interface FileBarProps {
  /** The two ways to show the file, where it has two: as what it is, and its source. */
  views?: { label: string; href: string; sourceHref: string; isSource: boolean } | undefined
  /** Size, and what else is known of the file. */
  facts: ComponentChildren
  /** Buttons at the right end. */
  children?: ComponentChildren
  class?: string | undefined
}

/** What stands above the content of a file. */
export function FileBar({ views, facts, children, class: className }: FileBarProps) {
  return (
    <div class={classNames(styles['bar'], className)}>
      {views && (
        <Tabs
          label="View"
          tabs={[
            { label: views.label, href: views.href, isCurrent: !views.isSource },
            { label: 'Source', href: views.sourceHref, isCurrent: views.isSource },
          ]}
        />
      )}
      <span class={styles['facts']}>{facts}</span>
      <span class={styles['space']} />
      {children}
    </div>
  )
}
