import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import styles from './tabs.module.css'

export interface Tab {
  label: ComponentChildren
  href: string
  isCurrent: boolean
  count?: number | string | undefined
  /** Called before the link is followed. */
  onSelect?: (() => void) | undefined
}

/** Links to the parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const box = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  useLayoutEffect(() => {
    // On a narrow screen, the current tab may be out of sight.
    const tab = box.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (box.current && tab) box.current.scrollLeft = tab.offsetLeft - box.current.offsetLeft - 24
  }, [current])
  return (
    <nav aria-label={label} class={styles['tabs']} ref={box}>
      {tabs.map(({ label: text, href, isCurrent, count, onSelect }) => (
        <a
          key={href}
          href={href}
          class={styles['tab']}
          aria-current={isCurrent ? 'page' : undefined}
          onClick={onSelect}
        >
          {text}
          {count !== undefined && <span class={styles['count']}>{count}</span>}
        </a>
      ))}
    </nav>
  )
}
