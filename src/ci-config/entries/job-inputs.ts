import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isList, isMap, isScalar } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { readMapEntry } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { readRegex } from './regex.js'
import { readString } from './simple-values.js'

/** The values that a job starts with, by the names of its inputs (CI language, 5.4). */
export type JobInputs = ReadonlyMap<string, ConfigValue>

export const readJobInputs: Reader<JobInputs> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  if (value.size > limits.jobInputs) {
    return place.refuse(`has too many entries (maximum ${limits.jobInputs})`)
  }
  const before = place.problemCount()
  const inputs = [...value].map(([name, written]) => [name, readInput(written, place.child(name))] as const)
  return place.problemCount() > before ? null : new Map(inputs)
}

function readInput(written: ConfigValue, place: Place): ConfigValue {
  const map = written ?? new Map<string, ConfigValue>()
  if (!isMap(map)) return place.refuse('should be a hash')
  return readMapEntry(shape, map, place, () => {
    checkDefault(map, place)
  })
    ? (map.get('default') ?? null)
    : null
}

type TypeName = 'array' | 'boolean' | 'number' | 'string'

/** What ends the sentence when a value is of another type (CI language, 5.2). */
const TYPES: Record<TypeName, { told: string; accepts: (value: ConfigValue) => boolean }> = {
  array: { told: 'an array', accepts: isList },
  boolean: { told: 'a boolean', accepts: (value) => typeof value === 'boolean' },
  number: { told: 'a number', accepts: (value) => typeof value === 'number' || typeof value === 'bigint' },
  string: { told: 'a string', accepts: (value) => typeof value === 'string' },
}

const TYPE_NAMES: readonly TypeName[] = ['array', 'boolean', 'number', 'string']

/** A job runs without anybody having been asked, so there is always a value, and a right one. */
function checkDefault(map: ConfigMap, place: Place): void {
  const value = map.get('default') ?? null
  if (value === null) {
    place.refuse('must have a default value')
    return
  }
  const type = TYPE_NAMES.find((name) => name === (map.get('type') ?? 'string'))
  if (!type) return
  if (!TYPES[type].accepts(value)) place.refuse(`default value is not ${TYPES[type].told}`, 'default')
  checkOptions(map, value, type, place)
  checkRegex(map, value, type, place)
}

function checkOptions(map: ConfigMap, value: ConfigValue, type: TypeName, place: Place): void {
  const options = map.get('options') ?? null
  if (!isList(options)) return
  if (type !== 'string' && type !== 'number') {
    place.refuse('options can only be used with string and number inputs', 'options')
  } else if (!options.some((option) => isScalar(option) && isSameScalar(option, value))) {
    place.refuse('default value is not in the list of allowed options', 'default')
  }
}

function isSameScalar(one: ConfigValue, other: ConfigValue): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : Number(one) === Number(other)
}

function checkRegex(map: ConfigMap, value: ConfigValue, type: TypeName, place: Place): void {
  const pattern = map.get('regex') ?? null
  if (typeof pattern !== 'string') return
  if (type !== 'string') place.refuse('regex can only be used with string inputs', 'regex')
  const regex = readRegex(pattern)
  if (regex && typeof value === 'string' && !regex.matcher(value).find()) {
    place.refuse('default value does not match required regex pattern', 'default')
  }
}

const readPattern: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string')
  return readRegex(value) ? value : place.refuse('invalid regular expression')
}

const readOptions: Reader<true> = (value, place) => {
  if (!isList(value)) return place.refuse('should be an array')
  return value.length > limits.inputOptions
    ? place.refuse(`has too many entries (maximum ${limits.inputOptions})`)
    : true
}

const shape = {
  attributes: {
    type: allowedValue(TYPE_NAMES),
    description: readString,
    options: readOptions,
    regex: readPattern,
    default: (value: ConfigValue) => value ?? null,
  },
  children: {},
  unsupported: [],
}
