import { useId, useLayoutEffect, useState } from 'preact/hooks'

import { Field, type FieldProps } from './field.js'
import styles from './field.module.css'

interface SuggestedInputProps extends Pick<FieldProps, 'label' | 'help' | 'error'> {
  value: string
  suggestions: readonly string[]
  /** At each character. */
  onInput?: (value: string) => void
  /** When the value is complete. */
  onChange?: (value: string) => void
}

/** A name that is required, mostly one of those that exist. */
export function SuggestedInput({
  label,
  help,
  error,
  value,
  suggestions,
  onInput,
  onChange,
}: SuggestedInputProps) {
  const list = useId()
  // Suggestions that arrive while a name is typed draw the field again: what is typed has to remain.
  const [text, setText] = useState(value)
  useLayoutEffect(() => setText(value), [value])
  return (
    <Field {...{ label, help, error }}>
      {(ids) => (
        <>
          <input
            {...ids}
            class={styles['frame']}
            list={list}
            value={text}
            required
            spellcheck={false}
            autoComplete="off"
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
              onInput?.(currentTarget.value.trim())
            }}
            onChange={({ currentTarget }) => onChange?.(currentTarget.value.trim())}
          />
          <datalist id={list}>
            {suggestions.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
