import type { OfferedInput } from '../../../coordinator/ci/lint/preview-schema.js'
import { FieldGroup, Input, Select } from '../../kit/field.js'
import styles from './fields.module.css'
import { inputText, withInput } from './variables-text.js'

interface InputFieldsProps {
  offered: readonly OfferedInput[]
  /** Given values as text, by name. */
  values: Readonly<Record<string, string>>
  onInput: (values: Record<string, string>) => void
}

/** The inputs that a CI file declares (`spec:inputs`), each with a field of its kind. */
export function InputFields({ offered, values, onInput }: InputFieldsProps) {
  if (offered.length === 0) return null
  return (
    <FieldGroup legend="Inputs" class={styles['group']}>
      <div class={styles['nested']}>
        <div class={styles['group']}>
          {offered.map((input) => (
            <InputField
              key={input.name}
              input={input}
              given={values[input.name]}
              onInput={(value) => onInput(withInput(values, input, value))}
            />
          ))}
        </div>
      </div>
    </FieldGroup>
  )
}

interface InputFieldProps {
  input: OfferedInput
  given: string | undefined
  onInput: (value: string) => void
}

function InputField({ input, given, onInput }: InputFieldProps) {
  const { name, type, required, problem } = input
  const field = {
    label: name,
    value: given ?? inputText(input.default),
    help: helpOf(input),
    // That a value is missing is no mistake yet.
    error: given === undefined ? undefined : (problem ?? undefined),
    onInput,
    required: required && type !== 'string',
  }
  const choices = type === 'boolean' ? ['true', 'false'] : type === 'array' ? undefined : input.options
  if (choices) {
    const shown = choices.map(inputText)
    const isOther = !shown.includes(field.value)
    return (
      <Select
        {...field}
        choices={[
          ...(isOther ? [{ value: field.value, label: field.value === '' ? 'Choose…' : field.value }] : []),
          ...shown.map((text) => ({ value: text, label: text })),
        ]}
      />
    )
  }
  return (
    <Input
      {...field}
      type={type === 'number' ? 'number' : 'text'}
      {...(type === 'number' && { step: 'any' })}
      {...(type === 'array' && { placeholder: '["first", "second"]' })}
      spellcheck={false}
      autoComplete="off"
    />
  )
}

function helpOf({ description, type, options, regex, required }: OfferedInput): string | undefined {
  const sentences = [
    description ?? '',
    type === 'array' ? 'A list in JSON.' : '',
    type === 'array' && options ? `Allowed: ${options.map(inputText).join(', ')}.` : '',
    regex === null ? '' : `It must match ${regex}`,
    required ? 'Required.' : '',
  ].filter((sentence) => sentence !== '')
  return sentences.length === 0 ? undefined : sentences.map(withPoint).join(' ')
}

function withPoint(sentence: string): string {
  return /[.!?:)\]]$/.test(sentence) ? sentence : `${sentence}.`
}
