import { CircleAlert, Info, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'

import styles from './alert.module.css'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert }

interface AlertProps {
  tone?: 'info' | 'warning' | 'error'
  title?: ComponentChildren
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** A message inside a page. An error is announced by screen readers. */
export function Alert({ tone = 'info', title, children, actions }: AlertProps) {
  return (
    <div class={classNames(styles['alert'], styles[tone])} role={tone === 'error' ? 'alert' : undefined}>
      <Icon icon={ICONS[tone]} size={18} />
      <div class={styles['text']}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div class={styles['actions']}>{actions}</div>}
    </div>
  )
}
