import type { PlannedRunStep } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap, isPresent } from '../yaml/config-value.js'
import type { Location } from './location.js'
import type { Reader } from './reader.js'
import { checkOrigin } from './run-origin.js'
import {
  anyText,
  type Check,
  namedValues,
  objectOf,
  type ObjectSchema,
  SchemaLocation,
  textBetween,
  textLike,
} from './schema.js'
import { flatItems } from './simple-values.js'

/** Steps in the place of a script, which `checkRun` has accepted (CI language, 3.2). */
export const readRun: Reader<PlannedRunStep[]> = (value) =>
  flatItems(isList(value) ? value : [])
    .map((item) => item.value)
    .filter(isMap)
    .map(plannedStep)

/** Values of `run` in the map of a job. */
export function checkRun(map: ConfigMap, location: Location): void {
  const value = map.get('run')
  if (value === undefined) return
  if (!isPresent(value)) {
    location.attribute('run').refuse("can't be blank")
    return
  }
  const at = new SchemaLocation(location, 'run', ['run'])
  if (!isList(value)) at.refuse('value', 'is not an array')
  for (const item of isList(value) ? flatItems(value) : []) {
    checkStep(
      item.value,
      item.position.reduce((inside, key) => inside.at(key), at),
    )
  }
}

/** A step runs a script, or a function that `step` or `func` names. */
const checkStep: Check = (value, at) => {
  if (isMap(value) && value.has('step') && value.has('func')) at.refuse('value', 'matches `not` schema')
  else objectOf(schemaOf(value))(value, at)
}

function schemaOf(value: ConfigValue): ObjectSchema {
  const { name, env, script, ...others } = stepShape.attributes
  const has = (key: string): boolean => isMap(value) && value.has(key)
  if (has('script') && !has('step') && !has('func')) {
    return { attributes: { name, env, script }, children: {}, required: ['name', 'script'] }
  }
  const required = ['name', has('func') ? 'func' : 'step']
  return { attributes: { name, env, ...others }, children: {}, required }
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

export const stepShape = {
  attributes: {
    name: textLike(NAME),
    env: namedValues(NAME, anyText),
    script: textBetween(1),
    step: checkOrigin,
    func: checkOrigin,
    inputs: namedValues(NAME, () => undefined),
  },
  children: {},
}

function plannedStep(map: ConfigMap): PlannedRunStep {
  const [script, step, func, inputs] = ['script', 'step', 'func', 'inputs'].map((key) => map.get(key))
  const env = map.get('env')
  return {
    name: textIn(map, 'name'),
    ...(typeof script === 'string' && { script }),
    ...(step !== undefined && { step: dataOf(step) }),
    ...(func !== undefined && { func: dataOf(func) }),
    ...(isMap(env) && { env: Object.fromEntries([...env.keys()].map((key) => [key, textIn(env, key)])) }),
    ...(inputs !== undefined && { inputs: dataOf(inputs) }),
  }
}

/** A text that was checked before. */
function textIn(map: ConfigMap, key: string): string {
  const value = map.get(key)
  return typeof value === 'string' ? value : ''
}
