import type { ConfigData, PlannedRunStep } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import { readMapEntry, refuseUnknownKeys, requireKeys, requireOneOf } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { readOrigin } from './run-origin.js'
import { filledString, flatItems } from './simple-values.js'

/** Steps in the place of a script (CI language, 3.2). */
export const readRun: Reader<PlannedRunStep[]> = (value, place) => {
  if (!isList(value)) return place.refuse('should be an array of hashes')
  const steps = flatItems(value).map((item) => readStep(item.value, place.item('step', item.position)))
  const read = steps.filter((step) => step !== null)
  return read.length < steps.length ? null : read
}

function readStep(value: ConfigValue, place: Place): PlannedRunStep | null {
  if (!isMap(value)) return place.refuse('should be a hash')
  const read = readMapEntry(stepShape, value, place, (map) => checkStep(map, place))
  if (!read) return null
  const { name = '', script, step, func, env, inputs } = read
  return {
    name,
    ...(script !== undefined && { script }),
    ...(step !== undefined && { step }),
    ...(func !== undefined && { func }),
    ...(env && { env }),
    ...(inputs && { inputs }),
  }
}

const KINDS = ['script', 'step', 'func']
const SCRIPT_KEYS: ReadonlySet<string> = new Set(['name', 'script', 'env'])

function checkStep(map: ConfigMap, place: Place): void {
  requireKeys(map, ['name'], place)
  requireOneOf(map, KINDS, place)
  if (map.has('script') && map.has('inputs')) refuseUnknownKeys(map, SCRIPT_KEYS, place)
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const WRONG_NAME = "can contain only letters, digits and '_', and cannot start with a digit"

const readStepName: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string')
  return NAME.test(value) ? value : place.refuse(WRONG_NAME)
}

/** A map with names as keys; `readItem` reads each value, including null. */
function namedValues<T>(
  wanted: string,
  readItem: (value: ConfigValue, place: Place) => T | null,
): Reader<Readonly<Record<string, T>>> {
  return (value, place) => {
    if (!isMap(value)) return place.refuse(wanted)
    const before = place.problemCount()
    const read = [...value].map(([name, item]): [string, T | null] => {
      const at = place.child(name)
      if (!NAME.test(name)) at.refuse(WRONG_NAME)
      return [name, readItem(item, at)]
    })
    return place.problemCount() > before ? null : (Object.fromEntries(read) as Record<string, T>)
  }
}

const readEnvironment = namedValues('should be a hash of key value pairs', (value, place) =>
  typeof value === 'string' ? value : place.refuse('must be a string'),
)

const readInputs = namedValues<ConfigData>('should be a hash', (value) => dataOf(value))

export const stepShape = {
  attributes: {
    name: readStepName,
    script: filledString(Infinity),
    step: readOrigin,
    func: readOrigin,
    inputs: readInputs,
  },
  children: { env: readEnvironment },
}
