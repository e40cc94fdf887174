import type { ComponentChildren } from 'preact'

import { Panel } from '../kit/panel.js'
import styles from './danger-rows.module.css'

/** Actions on a whole project or group, each with what it does. */
export function DangerPanel({ children }: { children: ComponentChildren }) {
  return (
    <Panel title="Advanced" isFlush>
      <ul class={styles['rows']}>{children}</ul>
    </Panel>
  )
}

interface DangerRowProps {
  title: string
  help: ComponentChildren
  /** The button. */
  action: ComponentChildren
}

export function DangerRow({ title, help, action }: DangerRowProps) {
  return (
    <li class={styles['row']}>
      <div>
        <h3>{title}</h3>
        <p class={styles['help']}>{help}</p>
      </div>
      {action}
    </li>
  )
}
