import type { ConfigData, PlannedRunStep } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import { readMapEntry, requireKeys, requireOneOf } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { flatItems, readName } from './simple-values.js'
import { readPlainVariables } from './variables.js'

/** Steps in the place of a script (CI language, 3.2). */
export const readRun: Reader<PlannedRunStep[]> = (value, place) => {
  if (!isList(value)) return place.refuse('should be an array of hashes')
  const steps = flatItems(value).map((item) => readStep(item.value, place.item('step', item.position)))
  const read = steps.filter((step) => step !== null)
  return read.length < steps.length ? null : read
}

function readStep(value: ConfigValue, place: Place): PlannedRunStep | null {
  if (!isMap(value)) return place.refuse('should be a hash')
  const read = readMapEntry(shape, value, place, (map) => checkStep(map, place))
  if (!read) return null
  const { name = '', script, step, func, env, inputs } = read
  return {
    name,
    ...(script !== undefined && { script }),
    ...(step !== undefined && { step }),
    ...(func !== undefined && { func }),
    ...(env && { env: Object.fromEntries(env.map((variable) => [variable.key, variable.value])) }),
    ...(inputs && { inputs }),
  }
}

const KINDS = ['script', 'step', 'func']

function checkStep(map: ConfigMap, place: Place): void {
  requireKeys(map, ['name'], place)
  requireOneOf(map, KINDS, place)
}

const readStepName: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string')
  if (/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(value)) return value
  return place.refuse("can contain only letters, digits and '_', and cannot start with a digit")
}

/** Where the step comes from: an address, or a map that tells its parts. */
const readOrigin: Reader<ConfigData> = (value, place) => {
  if (isMap(value)) return dataOf(value)
  return typeof value === 'string' ? readName(value, place) : place.refuse('should be a hash or a string')
}

const readInputs: Reader<ConfigData> = (value, place) =>
  isMap(value) ? dataOf(value) : place.refuse('should be a hash')

const shape = {
  attributes: {
    name: readStepName,
    script: readName,
    step: readOrigin,
    func: readOrigin,
    inputs: readInputs,
  },
  children: { env: readPlainVariables },
}
