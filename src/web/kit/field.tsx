import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

import { classNames } from './class-names.js'
import styles from './field.module.css'

export interface FieldProps {
  label: string
  /** A sentence below the control. */
  help?: ComponentChildren
  /** What is wrong with the value; shown in place of `help`. */
  error?: string | undefined
  /** The label is only read by screen readers. */
  hidesLabel?: boolean
  class?: string | undefined
}

interface FieldFrameProps extends FieldProps {
  children: (ids: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': 'true' | undefined
  }) => ComponentChildren
}

/** Label, control, and a line of help or error below it. */
export function Field({
  label,
  help,
  error,
  hidesLabel = false,
  children,
  class: className,
}: FieldFrameProps) {
  const id = useId()
  const note = error ?? help
  return (
    <div class={classNames(styles['field'], className)}>
      <label for={id} class={hidesLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {note !== undefined && (
        <p id={`${id}-note`} class={error === undefined ? styles['help'] : styles['error']}>
          {note}
        </p>
      )}
    </div>
  )
}

interface ControlProps extends FieldProps {
  value: string
  onInput: (value: string) => void
  name?: string
  placeholder?: string
  disabled?: boolean
  required?: boolean
  readOnly?: boolean
  autoFocus?: boolean
  autoComplete?: string
  spellcheck?: boolean
}

interface InputProps extends ControlProps {
  type?: 'text' | 'search' | 'password' | 'email' | 'url' | 'number' | 'date' | 'datetime-local'
  min?: number | string
  max?: number | string
  step?: number | string
  pattern?: string
  /** IDs of the suggestions of a `datalist`. */
  list?: string
  onKeyDown?: (event: KeyboardEvent) => void
}

export function Input({ label, help, error, hidesLabel, class: className, onInput, ...rest }: InputProps) {
  return (
    <Field {...{ label, help, error, class: className }} hidesLabel={hidesLabel ?? false}>
      {(ids) => (
        <input
          {...(rest as { type: 'text' })}
          {...ids}
          class={classNames(styles['frame'], styles['control'])}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function TextArea({
  label,
  help,
  error,
  hidesLabel,
  class: className,
  onInput,
  ...rest
}: ControlProps & { rows?: number }) {
  return (
    <Field {...{ label, help, error, class: className }} hidesLabel={hidesLabel ?? false}>
      {(ids) => (
        <textarea
          rows={4}
          {...rest}
          {...ids}
          class={classNames(styles['frame'], styles['control'], styles['area'])}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Choice {
  value: string
  label: string
}

export function Select({
  label,
  help,
  error,
  hidesLabel,
  class: className,
  onInput,
  choices,
  value,
  name,
  disabled,
  required,
}: ControlProps & { choices: readonly Choice[] }) {
  return (
    <Field {...{ label, help, error, class: className }} hidesLabel={hidesLabel ?? false}>
      {(ids) => (
        <select
          {...{ value, name, disabled, required }}
          {...ids}
          class={classNames(styles['frame'], styles['control'], styles['select'])}
          onChange={({ currentTarget }) => onInput(currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface FieldGroupProps {
  legend: string
  class?: string | undefined
  children: ComponentChildren
}

/** Fields that belong together, below a common name. */
export function FieldGroup({ legend, class: className, children }: FieldGroupProps) {
  return (
    <fieldset class={classNames(styles['group'], className)}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

interface CheckBoxProps {
  label: ComponentChildren
  help?: ComponentChildren
  checked: boolean
  onInput: (checked: boolean) => void
  disabled?: boolean
  name?: string
}

export function CheckBox({ label, help, checked, onInput, disabled = false, name }: CheckBoxProps) {
  const id = useId()
  return (
    <div class={styles['check']}>
      {/* The box alone is too small a target. */}
      <label class={styles['target']}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={checked}
          disabled={disabled}
          aria-describedby={help === undefined ? undefined : `${id}-note`}
          onChange={({ currentTarget }) => onInput(currentTarget.checked)}
        />
      </label>
      <div>
        <label for={id}>{label}</label>
        {help !== undefined && (
          <p id={`${id}-note`} class={styles['help']}>
            {help}
          </p>
        )}
      </div>
    </div>
  )
}
