import { useState } from 'preact/hooks'

import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { Input } from '../kit/field.js'
import { Popover } from '../kit/popover.js'
import styles from './choice-box.module.css'

interface ValueFormProps {
  label: string
  help?: string
  type: 'date' | 'number' | 'text'
  min?: number
  value: string
  placeholder?: string
  /** Text of the button that opens it. */
  button?: string
  reason?: string | undefined
  /** Saves the value; an empty one deletes it. */
  onSave: (value: string) => Promise<unknown>
}

/** A button that opens a box with one field, beside the value that it changes. */
export function ValueForm({ button = 'Edit', reason, ...rest }: ValueFormProps) {
  if (reason !== undefined) {
    return (
      <Button size="small" kind="ghost" reason={reason}>
        {button}
      </Button>
    )
  }
  return (
    <Popover
      size="small"
      kind="ghost"
      isBare
      label={button}
      name={`${button} ${rest.label.toLowerCase()}`}
      rendersWhenOpen
    >
      <Form {...rest} />
    </Popover>
  )
}

function Form({
  label,
  help,
  type,
  min,
  value,
  placeholder,
  onSave,
}: Omit<ValueFormProps, 'button' | 'reason'>) {
  const [text, setText] = useState(value)
  const saving = useAction(async (event: Event, next: string) => {
    const box = (event.target as Element).closest<HTMLElement>('[popover]')
    await onSave(next)
    box?.hidePopover()
  }, notifyError)
  return (
    <form
      class={styles['box']}
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run(event, text)
      }}
    >
      <Input
        label={label}
        help={help}
        type={type}
        {...(min !== undefined && { min })}
        {...(placeholder !== undefined && { placeholder })}
        value={text}
        onInput={setText}
      />
      <div class={styles['actions']}>
        <Button kind="primary" size="small" type="submit" isBusy={saving.isBusy}>
          Save
        </Button>
        {value !== '' && (
          <Button size="small" isBusy={saving.isBusy} onClick={(event) => void saving.run(event, '')}>
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}
