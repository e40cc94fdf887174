import type { RE2JS } from 're2js'

import { inputType, isSame, textOf, TYPE_NAMES } from '../inputs/input-types.js'
import { limits } from '../limits.js'
import type { PlannedInput } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigList, type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { readMapEntry } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { readString } from './simple-values.js'

/** Inputs that users can set when they start the job manually (CI language, 5.4). */
export const readJobInputs: Reader<PlannedInput[]> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  if (value.size > limits.jobInputs) {
    return place.refuse(`has too many entries (maximum ${limits.jobInputs})`)
  }
  const before = place.problemCount()
  const inputs = [...value].map(([name, written]) => readInput(name, written, place.child(name)))
  return place.problemCount() > before ? null : inputs.filter((input) => input !== null)
}

function readInput(name: string, written: ConfigValue, place: Place): PlannedInput | null {
  const map = written ?? new Map<string, ConfigValue>()
  if (!isMap(map)) return place.refuse('should be a hash')
  const read = readMapEntry(jobInputShape, map, place, () => {
    checkDefault(map, place)
  })
  return (
    read && {
      name,
      type: read.type ?? 'string',
      text: textOf(map.get('default') ?? null),
      ...(read.options && { options: read.options.map(dataOf) }),
      ...(read.regex !== undefined && { regex: read.regex }),
      ...(read.description !== undefined && { description: read.description }),
    }
  )
}

/** A job can also run without user interaction, so every input needs a valid default. */
function checkDefault(map: ConfigMap, place: Place): void {
  const value = map.get('default') ?? null
  if (value === null) {
    place.refuse('must have a default value')
    return
  }
  const type = map.get('type') ?? 'string'
  const known = typeof type === 'string' ? inputType(type) : undefined
  if (!known) return
  if (!known.accepts(value)) place.refuse(`default value is not ${known.shown}`, 'default')
  checkOptions(map, value, place)
  checkRegex(map, value, place)
}

function checkOptions(map: ConfigMap, value: ConfigValue, place: Place): void {
  const options = map.get('options')
  if (!isList(options)) return
  if (map.get('type') === 'boolean' || map.get('type') === 'array') {
    place.refuse('options can only be used with string and number inputs', 'options')
  } else if (!options.some((option) => isSame(option, value))) {
    place.refuse('default value is not in the list of allowed options', 'default')
  }
}

function checkRegex(map: ConfigMap, value: ConfigValue, place: Place): void {
  const pattern = map.get('regex')
  if (typeof pattern !== 'string') return
  if ((map.get('type') ?? 'string') !== 'string') {
    place.refuse('regex can only be used with string inputs', 'regex')
    return
  }
  const regex = readPattern(pattern, place.attribute('regex'))
  if (regex && typeof value === 'string' && !place.patterns.test(regex, value)) {
    place.refuse('default value does not match required regex pattern', 'default')
  }
}

/** Written without slashes. The group is needed because a one-character expression would not count as one. */
function readPattern(pattern: string, place: Place): RE2JS | null {
  const regex = place.patterns.parse(`/(?:${pattern})/`)
  return regex === undefined || regex === 'invalid' ? place.refuse('invalid regular expression') : regex
}

const readOptions: Reader<ConfigList> = (value, place) => {
  if (!isList(value)) return place.refuse('should be an array')
  return value.length > limits.inputOptions
    ? place.refuse(`has too many entries (maximum ${limits.inputOptions})`)
    : value
}

export const jobInputShape = {
  attributes: {
    type: allowedValue(TYPE_NAMES),
    description: readString,
    options: readOptions,
    regex: readString,
    default: (value: ConfigValue) => value ?? null,
  },
  children: {},
}
