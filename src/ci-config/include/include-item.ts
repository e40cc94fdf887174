import { INCLUDE_FORMS, INCLUDE_KEYWORDS } from '../entries/include-keywords.js'
import { remoteOptions } from '../entries/remote-options.js'
import { type ConfigError, invalid } from '../errors.js'
import {
  type ConfigMap,
  type ConfigValue,
  isList,
  isMap,
  Reference,
  scalarText,
} from '../yaml/config-value.js'

/** One entry of `include`, as a map (CI language, 4.2, steps 1 and 2). */
export interface IncludeItem {
  map: ConfigMap
  /** The path to it from the top of its file. */
  path: readonly string[]
}

const KEYS: ReadonlySet<string> = new Set(INCLUDE_KEYWORDS)

export type IncludeForm = (typeof INCLUDE_FORMS)[number]

/** `expand` replaces variables in an entry that is a text. Throws `ConfigError`. */
export function includeItems(content: ConfigMap, expand: (text: string) => string): IncludeItem[] {
  const value = content.get('include') ?? null
  if (value === null) return []
  if (isList(value)) {
    return value.flatMap((item, index) =>
      item === null ? [] : [itemOf(item, ['include', String(index)], expand)],
    )
  }
  if (typeof value !== 'string' && !isMap(value)) {
    throw invalid('include config should be an array or a string', ['include'])
  }
  return [itemOf(value, ['include'], expand)]
}

function itemOf(item: ConfigValue, path: readonly string[], expand: (text: string) => string): IncludeItem {
  if (isMap(item)) return { map: item, path }
  if (typeof item !== 'string') throw invalid('Each include must be a hash or a string', path)
  const text = expand(item)
  return { map: new Map([[isWebAddress(text) ? 'remote' : 'local', text]]), path }
}

/** Whether a text is a URL of a file. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** The one form that the entry has. Throws `ConfigError`. */
export function formOf({ map, path }: IncludeItem): IncludeForm {
  const forms = INCLUDE_FORMS.filter((form) => map.has(form))
  const [form] = forms
  if (form === undefined)
    throw invalid(
      `\`${shown(map)}\` does not have a valid subkey for include. ${validSubkeys()}`,
      path,
      undefined,
      { words: [...map.keys()].filter((key) => !KEYS.has(key)), among: INCLUDE_FORMS },
    )
  if (forms.length > 1) throw invalid(`Each include must use only one of: ${quotedForms()}`, path)
  refuseKeys({ map, path }, form)
  return form
}

function refuseKeys({ map, path }: IncludeItem, form: IncludeForm): void {
  const unknown = [...map.keys()].find((key) => !KEYS.has(key))
  if (unknown !== undefined) {
    const suggest = { words: [unknown], among: INCLUDE_KEYWORDS }
    throw invalid(`include config contains unknown keys: ${unknown}`, [...path, unknown], undefined, suggest)
  }
  const isWritten = (key: string): boolean => (map.get(key) ?? null) !== null
  if (form === 'project' && !isWritten('file'))
    throw refusal('must specify the file where to fetch the config from', path)
  if (form === 'artifact' && !isWritten('job'))
    throw refusal('must specify the job where to fetch the artifact from', path)
  const options = remoteOptions(map)
  if ('key' in options) throw refusal(options.message, [...path, options.key])
}

/** A problem of the entry itself. */
export function refusal(message: string, path: readonly string[]): ConfigError {
  return invalid(`include config ${message}`, path)
}

function quotedForms(): string {
  return INCLUDE_FORMS.map((form) => `\`${form}\``).join(', ')
}

function validSubkeys(): string {
  return `Valid subkeys are: ${quotedForms()}`
}

const SHOWN_CHARACTERS = 500

/** The entry as JSON, for a message. */
function shown(map: ConfigMap): string {
  return JSON.stringify(plain(map)).slice(0, SHOWN_CHARACTERS)
}

function plain(value: ConfigValue): unknown {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]))
  if (isList(value)) return value.map(plain)
  if (value instanceof Reference) return value.path.map(plain)
  return typeof value === 'bigint' ? scalarText(value) : value
}
