import { Plus, Trash2 } from 'lucide'

import type { OfferedVariable } from '../../../coordinator/ci/lint/preview-schema.js'
import { Button, IconButton } from '../../kit/button.js'
import { FieldGroup, Input, Select, TextArea } from '../../kit/field.js'
import styles from './fields.module.css'
import { type GivenVariable, NO_VARIABLE } from './variables-text.js'

interface VariableFieldsProps {
  variables: readonly GivenVariable[]
  onChange: (variables: readonly GivenVariable[]) => void
}

/** Variables with free names: rows of type, key and value. */
export function VariableFields({ variables, onChange }: VariableFieldsProps) {
  const change = (index: number, changes: Partial<GivenVariable>) =>
    onChange(
      variables.map((variable, position) => (position === index ? { ...variable, ...changes } : variable)),
    )
  return (
    <FieldGroup legend="Variables" class={styles['group']}>
      {variables.map(({ key, value, variable_type: type }, index) => (
        <div key={index} class={styles['variable']}>
          <Select
            label={`Type of variable ${index + 1}`}
            hidesLabel
            value={type}
            onInput={(chosen) => change(index, { variable_type: chosen === 'file' ? 'file' : 'env_var' })}
            choices={[
              { value: 'env_var', label: 'Variable' },
              { value: 'file', label: 'File' },
            ]}
          />
          <Input
            label={`Key of variable ${index + 1}`}
            hidesLabel
            placeholder="Key"
            value={key}
            spellcheck={false}
            autoComplete="off"
            onInput={(text) => change(index, { key: text })}
          />
          <TextArea
            label={`Value of variable ${index + 1}`}
            hidesLabel
            placeholder="Value"
            rows={1}
            value={value}
            spellcheck={false}
            autoComplete="off"
            onInput={(text) => change(index, { value: text })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove variable ${index + 1}`}
            onClick={() => onChange(variables.filter((_, position) => position !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} onClick={() => onChange([...variables, NO_VARIABLE])}>
          Add variable
        </Button>
      </div>
    </FieldGroup>
  )
}

interface DescribedVariableFieldsProps {
  offered: readonly OfferedVariable[]
  /** The values that differ from those of the CI file, by key. */
  values: Readonly<Record<string, string>>
  onInput: (key: string, value: string) => void
}

/** Variables that the CI file describes, filled with its values. */
export function DescribedVariableFields({ offered, values, onInput }: DescribedVariableFieldsProps) {
  if (offered.length === 0) return null
  return (
    <FieldGroup legend="Variables of the CI file" class={styles['group']}>
      <div class={styles['nested']}>
        <div class={styles['group']}>
          {offered.map(({ key, value, description, options }) => {
            const field = {
              label: key,
              value: values[key] ?? value,
              help: description === '' ? undefined : description,
              onInput: (text: string) => onInput(key, text),
            }
            return options.length > 0 ? (
              <Select key={key} {...field} choices={options.map((name) => ({ value: name, label: name }))} />
            ) : (
              <Input key={key} {...field} spellcheck={false} autoComplete="off" />
            )
          })}
        </div>
      </div>
    </FieldGroup>
  )
}
