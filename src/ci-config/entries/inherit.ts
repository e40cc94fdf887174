import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { refuseWords, stringsOf } from './simple-values.js'

/** All, none, or the named ones. */
export type Inherited = boolean | ReadonlySet<string>

/** The top-level settings that a job inherits; everything by default (CI language, 3.13). */
export interface Inherit {
  default?: Inherited
  variables?: Inherited
}

export const DEFAULT_KEYS: ReadonlySet<string> = new Set(
  'after_script artifacts before_script cache hooks id_tokens identity image interruptible retry services tags timeout'.split(
    ' ',
  ),
)

export const readInherit: Reader<Inherit> = (value, location) =>
  isMap(value) ? readMapEntry(inheritShape, value, location) : location.refuse('should be a hash')

export function inherits(inherited: Inherited | undefined, key: string): boolean {
  return typeof inherited === 'object' ? inherited.has(key) : (inherited ?? true)
}

const readInherited: Reader<Inherited> = (value, location) => {
  if (typeof value === 'boolean') return value
  const names = stringsOf(value)
  return names ? new Set(names) : location.refuseKind('should be a bool or array of strings')
}

const readInheritedDefaults: Reader<Inherited> = (value, location) => {
  const inherited = readInherited(value, location)
  if (inherited === null || typeof inherited === 'boolean') return inherited
  const unknown = [...inherited].filter((key) => !DEFAULT_KEYS.has(key))
  return unknown.length > 0 ? refuseWords(unknown, [...inherited], DEFAULT_KEYS, location) : inherited
}

export const inheritShape = {
  attributes: {},
  children: { default: readInheritedDefaults, variables: readInherited },
}
