import { limits } from '../limits.js'
import type { ConfigData } from '../plan.js'
import { type ConfigValue, isList, isMap, isScalar, scalarText } from '../yaml/config-value.js'

/** One kind of input (CI language, 5.2). */
interface InputType {
  /** Ends the sentence "provided value is not …". */
  shown: string
  accepts(value: ConfigValue): boolean
}

const isNumber = (value: ConfigValue): boolean => typeof value === 'number' || typeof value === 'bigint'

const types: ReadonlyMap<string, InputType> = new Map([
  ['array', { shown: 'an array', accepts: isList }],
  ['boolean', { shown: 'a boolean', accepts: (value) => typeof value === 'boolean' }],
  ['number', { shown: 'a number', accepts: isNumber }],
  ['string', { shown: 'a string', accepts: (value) => typeof value === 'string' }],
])

export const TYPE_NAMES = [...types.keys()]

export function inputType(name: string): InputType | undefined {
  return types.get(name)
}

/** Converts text from forms and command lines to the type; returns any other value unchanged. */
export function converted(value: ConfigValue, type: string): ConfigValue {
  if (typeof value !== 'string' || type === 'string' || value.length > limits.inputText) return value
  const data = parseJson(value)
  const result = data === undefined ? value : configValueOf(data)
  return inputType(type)?.accepts(result) ? result : value
}

function parseJson(text: string): ConfigData | undefined {
  try {
    return JSON.parse(text) as ConfigData
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Converts whole numbers as in a file. Returns undefined for values that are nested too deeply. */
export function configValueOf(data: ConfigData, levels: number = limits.yamlDepth): ConfigValue {
  if (typeof data === 'number') return Number.isSafeInteger(data) ? BigInt(data) : data
  if (typeof data !== 'object' || data === null || levels === 0) return typeof data === 'object' ? null : data
  if (isArray(data)) return data.map((item) => configValueOf(item, levels - 1))
  return new Map(Object.entries(data).map(([key, item]) => [key, configValueOf(item, levels - 1)]))
}

function isArray(data: ConfigData): data is readonly ConfigData[] {
  return Array.isArray(data)
}

/** A value inside a text: lists and maps as JSON. */
export function formatValue(value: ConfigValue): string {
  return isScalar(value) ? scalarText(value) : JSON.stringify(jsonOf(value))
}

/** A value in the middle of a text of the file: as `formatValue`, and with a blank after each comma and colon. */
export function insertedText(value: ConfigValue): string {
  if (isMap(value)) {
    const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}: ${insertedItem(item)}`)
    return `{${entries.join(', ')}}`
  }
  return isList(value) ? `[${value.map(insertedItem).join(', ')}]` : formatValue(value)
}

function insertedItem(value: ConfigValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value === null ? 'null' : insertedText(value)
}

function jsonOf(value: ConfigValue): unknown {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, jsonOf(item)]))
  if (isList(value)) return value.map(jsonOf)
  return typeof value === 'bigint' ? Number(value) : value
}

/** Whether two values are equal; `1` equals `1.0`. */
export function isSame(one: ConfigValue, other: ConfigValue): boolean {
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other)
  return one === other || (!isScalar(one) && !isScalar(other) && formatValue(one) === formatValue(other))
}
