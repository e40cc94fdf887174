import { classNames } from '../kit/class-names.js'
import styles from './label-chip.module.css'

export interface ShownLabel {
  name: string
  /** `#rrggbb` or `#rgb`; unknown labels are gray. */
  color?: string | undefined
  description?: string | null | undefined
}

/** A label in its color, with text that is readable in both themes. */
export function LabelChip({ label, href }: { label: ShownLabel; href?: string | undefined }) {
  const { name, color = '#808080', description } = label
  const content = (
    <>
      <span class={styles['dot']} />
      {name}
    </>
  )
  const common = { title: description ?? undefined, style: { '--label': color } }
  return href === undefined ? (
    <span class={styles['chip']} {...common}>
      {content}
    </span>
  ) : (
    <a class={classNames(styles['chip'], styles['link'])} href={href} {...common}>
      {content}
    </a>
  )
}
