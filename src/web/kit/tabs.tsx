import type { ComponentChildren } from 'preact'

import styles from './tabs.module.css'

export interface Tab {
  label: ComponentChildren
  href: string
  isCurrent: boolean
  count?: number | string | undefined
}

/** Links to the parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} class={styles['tabs']}>
      {tabs.map(({ label: text, href, isCurrent, count }) => (
        <a key={href} href={href} class={styles['tab']} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class={styles['count']}>{count}</span>}
        </a>
      ))}
    </nav>
  )
}
