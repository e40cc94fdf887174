import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { type Method, requestJson } from '../api/client.js'
import { fieldErrors } from '../api/error-message.js'
import { useAction } from '../api/use-action.js'
import { notify } from '../frame/notices.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { CheckBox, FieldGroup, Input, Select, TextArea } from '../kit/field.js'
import { Panel } from '../kit/panel.js'
import { changedSettings, type Draft, draftOf, type SettingField } from './settings-fields.js'
import styles from './settings-form.module.css'

interface SettingsFormProps<Data> {
  title: string
  /** Path in the API that takes the changed settings. */
  path: string
  method?: Method
  fields: readonly SettingField[]
  /** The record that has the settings. */
  values: Readonly<Record<string, unknown>>
  /** Why nothing can be changed now. */
  reason?: string | undefined
  onSaved: (response: Data) => void | Promise<void>
  /** Buttons beside the title. */
  actions?: ComponentChildren
  /** Above the fields. */
  children?: ComponentChildren
}

/** Settings of one subject, in a panel. Only what differs is sent, with the button. */
export function SettingsForm<Data>({
  title,
  path,
  method = 'PUT',
  fields,
  values,
  reason,
  onSaved,
  actions,
  children,
}: SettingsFormProps<Data>) {
  const [draft, setDraft] = useState<Draft>({})
  const shown = { ...draftOf(fields, values), ...draft }
  const changes = changedSettings(fields, values, shown)
  const save = useAction(async () => {
    const response = await requestJson<Data>(path, { method, body: changes })
    await onSaved(response)
    setDraft({})
    notify('The settings were saved')
  })
  const errors = save.error ? fieldErrors(save.error.body) : {}
  const isElsewhere = !fields.some(({ name }) => errors[name] !== undefined)
  const hasChanges = Object.keys(changes).length > 0
  return (
    <Panel title={title} actions={actions}>
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void save.run()
        }}
      >
        {save.error && isElsewhere && (
          <div class={styles['wide']}>
            <Alert tone="error" title={save.error.message} />
          </div>
        )}
        {children !== undefined && <div class={styles['wide']}>{children}</div>}
        {fields.map((field) => (
          <Setting
            key={field.name}
            field={field}
            value={shown[field.name] ?? ''}
            error={errors[field.name]}
            onInput={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <div class={styles['buttons']}>
          <Button kind="primary" type="submit" isBusy={save.isBusy} reason={reason} disabled={!hasChanges}>
            Save changes
          </Button>
          {hasChanges && <Button onClick={() => setDraft({})}>Discard</Button>}
        </div>
      </form>
    </Panel>
  )
}

interface SettingProps {
  field: SettingField
  value: string | boolean
  error: string | undefined
  onInput: (value: string | boolean) => void
}

function Setting({ field, value, error, onInput }: SettingProps) {
  const { kind, label, placeholder, isRequired = false, fixedBy } = field
  const disabled = fixedBy !== undefined
  const help = disabled ? `Set by ${fixedBy} in the configuration of the coordinator.` : field.help
  if (typeof value === 'boolean') {
    return (
      <div class={styles['wide']}>
        <CheckBox label={label} help={error ?? help} checked={value} onInput={onInput} disabled={disabled} />
      </div>
    )
  }
  if (kind === 'checks') return <Checks field={field} value={value} error={error} onInput={onInput} />
  const shared = { label, help, error, value, onInput, disabled }
  if (kind === 'select') return <Select {...shared} choices={field.choices ?? []} />
  const typed = {
    ...shared,
    class: kind === 'number' || field.isShort ? undefined : styles['wide'],
    required: isRequired,
    ...(placeholder !== undefined && { placeholder }),
  }
  if (kind === 'area') return <TextArea {...typed} rows={3} />
  const { min, max } = field
  return (
    <Input
      {...typed}
      autoComplete={kind === 'password' ? 'new-password' : 'off'}
      {...(kind === 'password' && { type: 'password' as const })}
      {...(kind === 'number' && { type: 'number' as const })}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
    />
  )
}

/** A list of some of the choices, as a box for each. */
function Checks({ field, value, error, onInput }: SettingProps & { value: string }) {
  const { label, help, choices = [], fixedBy } = field
  const chosen = value.split(', ')
  return (
    <FieldGroup legend={label}>
      {choices.map((choice) => (
        <CheckBox
          key={choice.value}
          label={choice.label}
          checked={chosen.includes(choice.value)}
          disabled={fixedBy !== undefined}
          onInput={(isChosen) =>
            onInput(
              choices
                .map((each) => each.value)
                .filter((each) => (each === choice.value ? isChosen : chosen.includes(each)))
                .join(', '),
            )
          }
        />
      ))}
      {(error ?? help) !== undefined && <p>{error ?? help}</p>}
    </FieldGroup>
  )
}
