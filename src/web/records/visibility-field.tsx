import { useId } from 'preact/hooks'

import { Icon } from '../kit/icon.js'
import styles from './visibility-field.module.css'
import { visibilityLook } from './visibility.js'

const LEVELS = ['private', 'internal', 'public']

interface VisibilityFieldProps {
  value: string
  onInput: (visibility: string) => void
  /** The most open choice: a project is not more visible than its group. */
  most: string
  /** Why more is not allowed. */
  reason: string
}

/** Chooses who sees a new project or group. */
export function VisibilityField({ value, onInput, most, reason }: VisibilityFieldProps) {
  const name = useId()
  return (
    <fieldset class={styles['levels']}>
      <legend>Visibility</legend>
      {LEVELS.map((level) => {
        const { icon, label, meaning } = visibilityLook(level)
        const isAllowed = LEVELS.indexOf(level) <= LEVELS.indexOf(most)
        return (
          <label key={level} class={styles['level']} data-disabled={!isAllowed}>
            <input
              type="radio"
              name={name}
              value={level}
              checked={value === level}
              disabled={!isAllowed}
              onChange={() => onInput(level)}
            />
            <Icon icon={icon} />
            <span>
              <strong>{label}</strong>
              <span class={styles['meaning']}>{isAllowed ? meaning : reason}</span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** The wished visibility, or the most open one that is allowed. */
export function atMost(wished: string, most: string): string {
  return LEVELS.indexOf(wished) > LEVELS.indexOf(most) ? most : wished
}
