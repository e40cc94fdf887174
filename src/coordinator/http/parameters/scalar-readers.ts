import type { JsonSchema } from './json-schema.js'
import { isName, isOneLine, longestOf } from './one-line.js'
import { ABSENT, type Reader } from './reader.js'
import { isStorableText } from './storable-text.js'
import { readDay, readTime } from './times.js'

const TRUE = new Set('true True TRUE t T 1 on On ON yes Yes YES y Y'.split(' '))
const FALSE = new Set('false False FALSE f F 0 off Off OFF no No NO n N'.split(' '))

export const readBoolean: Reader = (raw, name, problems) => {
  const value = lastValue(raw)
  if (value === null || value === '') return ABSENT
  const text = asText(value) ?? ''
  if (TRUE.has(text)) return true
  if (FALSE.has(text)) return false
  problems.push(`${name} is invalid`)
  return ABSENT
}

export function readerOfNumber({ type, minimum, maximum }: JsonSchema): Reader {
  const shape = type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?$/
  return (raw, name, problems) => {
    const text = lastValue(raw)
    if (text === null || text === '') return ABSENT
    const value = typeof text === 'number' || shape.test(asText(text) ?? '') ? Number(text) : NaN
    if (!Number.isFinite(value) || (type === 'integer' && !Number.isSafeInteger(value))) {
      problems.push(`${name} is invalid`)
      return ABSENT
    }
    if (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity)) {
      problems.push(`${name} does not have a valid value`)
    }
    return value
  }
}

export function readerOfString(schema: JsonSchema): Reader {
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  return (raw, name, problems) => {
    const value = lastValue(raw)
    if (value === null) return ABSENT
    const text = asText(value)
    // No time at all, as an empty number is no number.
    if (text === '' && isTime(schema)) return ABSENT
    const isWrong = text === undefined || (isName(name) && !isOneLine(text))
    const maxLength = schema.maxLength ?? longestOf(name)
    const problem = isWrong ? 'is invalid' : problemOfText(text, { ...schema, maxLength }, pattern)
    if (problem) problems.push(`${name} ${problem}`)
    return text === undefined ? ABSENT : inForm(text, schema.format)
  }
}

function isTime({ format }: JsonSchema): boolean {
  return format === 'date' || format === 'date-time'
}

function problemOfText(text: string, schema: JsonSchema, pattern: RegExp | undefined): string | undefined {
  if (!isStorableText(text)) return 'is invalid'
  if (text === '' && schema.minLength) return 'is empty'
  if (text.length < (schema.minLength ?? 0)) return 'does not have a valid value'
  const longest = schema.maxLength ?? Infinity
  if (text.length > longest) return `is too long (maximum is ${longest} characters)`
  if (pattern && !pattern.test(text)) return 'is invalid'
  if (inForm(text, schema.format) === undefined) return 'is invalid'
  return undefined
}

export function readerOfChoice(choices: unknown[]): Reader {
  const byText = new Map(choices.map((choice) => [String(choice), choice]))
  return (raw, name, problems) => {
    const value = lastValue(raw)
    if (value === null) return ABSENT
    const text = asText(value)
    if (text !== undefined && byText.has(text)) return byText.get(text)
    problems.push(`${name} does not have a valid value`)
    return ABSENT
  }
}

/** The last value of a repeated scalar counts. */
function lastValue(raw: unknown): unknown {
  return Array.isArray(raw) ? (raw.at(-1) as unknown) : raw
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * Returns the text in the normal form of the format; undefined if invalid. Every format accepts the empty
 * text.
 */
function inForm(text: string, format: string | undefined): string | undefined {
  if (text === '') return text
  if (format === 'date') return readDay(text)
  if (format === 'date-time') return readTime(text)
  return text
}
