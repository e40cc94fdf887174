import { type RemoteOptions, remoteOptions } from '../entries/remote-options.js'
import { invalid } from '../errors.js'
import { type ConfigValue, isList } from '../yaml/config-value.js'
import { formOf, type IncludeItem, refusal } from './include-item.js'

/** The location of one included file (CI language, 4.1). */
export type IncludeLocation =
  | { form: 'local'; file: string }
  | { form: 'project'; project: string; ref: string | undefined; file: string }
  | { form: 'remote'; url: string; integrity: string | undefined; maxAgeSeconds: number | undefined }
  | { form: 'template'; name: string }
  | { form: 'component'; address: string }
  | { form: 'artifact'; job: string; file: string }

/** Parses an entry; `file` selects one of its files. Throws `ConfigError`. */
export function locationOf(item: IncludeItem, expand: (text: string) => string): IncludeLocation {
  const form = formOf(item)
  const text = (key: string): string => readText(item, key, expand)
  const optional = (key: string): string | undefined =>
    (item.map.get(key) ?? null) === null ? undefined : text(key)
  switch (form) {
    case 'local':
      return { form, file: withExtension(text('local'), item) }
    case 'project':
      return {
        form,
        project: text('project').toLowerCase(),
        ref: optional('ref'),
        file: withExtension(text('file'), item),
      }
    case 'remote':
      return { form, url: text('remote'), ...optionsOf(item) }
    case 'template':
      return { form, name: templateName(text('template'), item) }
    case 'component':
      return { form, address: text('component') }
    case 'artifact':
      return { form, job: text('job'), file: withExtension(text('artifact'), item) }
  }
}

/** The options were already validated with the entry. */
function optionsOf({ map }: IncludeItem): RemoteOptions {
  const options = remoteOptions(map)
  return 'key' in options ? { integrity: undefined, maxAgeSeconds: undefined } : options
}

/** An entry with a list of files as one entry for each (CI language, 4.2, step 3). */
export function eachFile(item: IncludeItem): IncludeItem[] {
  const files = item.map.get('file')
  if (!isList(files) || !item.map.has('project')) return [item]
  if (files.length === 0) throw refusal('must specify the file where to fetch the config from', item.path)
  return files.map((file) => withValue(item, 'file', file))
}

/** The entry with another value of one key. */
export function withValue({ map, path }: IncludeItem, key: string, value: ConfigValue): IncludeItem {
  return { map: new Map([...map, [key, value]]), path }
}

function readText({ map, path }: IncludeItem, key: string, expand: (text: string) => string): string {
  const value = map.get(key)
  if (typeof value === 'string') return expand(value)
  throw invalid(`Included file \`${shownValue(value)}\` needs to be a string`, [...path, key])
}

function shownValue(value: ConfigValue | undefined): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}

function withExtension(file: string, { path }: IncludeItem): string {
  if (/.\.ya?ml$/i.test(file)) return file
  throw invalid(`Included file \`${file}\` does not have YAML extension!`, path)
}

function templateName(name: string, { path }: IncludeItem): string {
  const isName = name.endsWith('.gitlab-ci.yml') && !name.split('/').includes('..') && !name.startsWith('/')
  if (isName) return name
  throw invalid(`Template file \`${name}\` is not a valid location!`, path)
}
