import type { IconNode } from 'lucide'
import { createElement } from 'preact'

import { classNames } from './class-names.js'
import styles from './icon.module.css'

export interface IconProps {
  /** One of the icons of lucide, such as `Play`. */
  icon: IconNode
  /** Edge length, in pixels. */
  size?: number
  /** What the icon says; without it, the icon is decoration and hidden from screen readers. */
  label?: string | undefined
  class?: string | undefined
}

export function Icon({ icon, size = 16, label, class: className }: IconProps) {
  return (
    <svg
      class={classNames(styles['icon'], className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label })}
    >
      {icon.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  )
}
