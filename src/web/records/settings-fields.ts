/** A setting in a form; its name is that of the attribute in the API. */
export interface SettingField {
  name: string
  label: string
  help?: string
  /**
   * `checks` is a list of some of the choices. `text`, `password` and `area` are texts, of which an empty one is null if `isNullable`; `list` is a list of texts, shown with commas;
   * `number` is null when it is empty, if `isNullable`.
   */
  kind: 'text' | 'password' | 'area' | 'number' | 'list' | 'check' | 'checks' | 'select'
  isNullable?: boolean
  /** The values of the choices are numbers. */
  isNumber?: boolean
  isRequired?: boolean
  /** A text of a few words, which shares its line with another field. */
  isShort?: boolean
  placeholder?: string
  min?: number
  max?: number
  /** The key of the configuration that gives the value, which then cannot be changed. */
  fixedBy?: string | undefined
  /** Of a `select` or of `checks`. */
  choices?: readonly { value: string; label: string }[]
}

/** What the controls of a form contain, by the name of the setting. */
export type Draft = Readonly<Record<string, string | boolean>>

type Values = Readonly<Record<string, unknown>>

/** The values of a record as the controls show them. */
export function draftOf(fields: readonly SettingField[], values: Values): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, shown(field, values[field.name])]))
}

/** The settings that differ from the record, as the API takes them. */
export function changedSettings(
  fields: readonly SettingField[],
  values: Values,
  draft: Draft,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = draft[field.name]
      return value === undefined || value === shown(field, values[field.name])
        ? []
        : [[field.name, sent(field, value)]]
    }),
  )
}

function shown({ kind }: SettingField, value: unknown): string | boolean {
  if (kind === 'check') return value === true
  if (kind === 'list' || kind === 'checks') return Array.isArray(value) ? value.map(String).join(', ') : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function sent(
  { kind, isNullable = false, isNumber = kind === 'number' }: SettingField,
  value: string | boolean,
): unknown {
  if (typeof value === 'boolean') return value
  if (kind === 'list' || kind === 'checks') {
    return value
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '')
  }
  if (value === '' && isNullable) return null
  return isNumber ? Number(value) : value
}
