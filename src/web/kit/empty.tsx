import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'

import styles from './empty.module.css'
import { Icon } from './icon.js'

interface EmptyProps {
  icon?: IconNode
  /** One sentence about what would be here. */
  title: ComponentChildren
  children?: ComponentChildren
  /** What creates the first one. */
  action?: ComponentChildren
}

/** In place of a list without entries. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class={styles['empty']}>
      {icon && (
        <span class={styles['icon']}>
          <Icon icon={icon} size={28} />
        </span>
      )}
      <div class={styles['title']}>{title}</div>
      {children !== undefined && <div class={styles['text']}>{children}</div>}
      {action !== undefined && <div class={styles['action']}>{action}</div>}
    </div>
  )
}
