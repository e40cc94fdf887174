import type { ConfigData } from '../plan.js'
import { type ConfigValue, isList, isMap, Reference } from './config-value.js'

/**
 * A value in JSON form. Integers that JSON cannot represent exactly become text. Maps become objects with own
 * properties, so that `__proto__` is an ordinary key.
 */
export function dataOf(value: ConfigValue): ConfigData {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, dataOf(item)]))
  if (isList(value)) return value.map(dataOf)
  return value instanceof Reference ? dataOf(value.path) : value
}
