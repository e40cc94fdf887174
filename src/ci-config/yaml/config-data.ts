import type { ConfigData } from '../plan.js'
import { type ConfigValue, isList, isMap, Reference } from './config-value.js'

/**
 * A value as JSON has it. Integers beyond what JSON keeps exactly become text. Maps become objects of own properties, so
 * that a key such as `__proto__` is a key like any other.
 */
export function dataOf(value: ConfigValue): ConfigData {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, dataOf(item)]))
  if (isList(value)) return value.map(dataOf)
  return value instanceof Reference ? dataOf(value.path) : value
}
