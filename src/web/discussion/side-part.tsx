import type { ComponentChildren } from 'preact'

import styles from './side-part.module.css'

interface SidePartProps {
  title: string
  /** What changes the value, such as a `ChoiceBox`. */
  edit?: ComponentChildren
  children: ComponentChildren
}

/** One property of an issue or merge request, beside its text. */
export function SidePart({ title, edit, children }: SidePartProps) {
  return (
    <section class={styles['part']} aria-label={title}>
      <header class={styles['head']}>
        <h2>{title}</h2>
        {edit}
      </header>
      <div class={styles['value']}>{children}</div>
    </section>
  )
}

/** In place of a value that is not set. */
export function Unset({ children = 'None' }: { children?: ComponentChildren }) {
  return <span class={styles['unset']}>{children}</span>
}
