import { isRecord } from '../../../lib/is-record.js'
import { isFile, type JsonSchema, nullableInner } from './json-schema.js'
import { ABSENT, type Reader } from './reader.js'
import { readBoolean, readerOfChoice, readerOfNumber, readerOfString } from './scalar-readers.js'
import { isStorable, isStorableText } from './storable-text.js'
import { UploadedFile } from './types.js'

/** Lists that may also be one comma-separated string (API, A5). */
const COMMA_LISTS = new Set(['labels', 'tag_list', 'iids', 'user_ids', 'scopes', 'topics', 'milestones'])

/** Maximum length of a list of texts or numbers for which the operation sets none. */
const MAX_SCALARS = 2000

export function readerOf(schema: JsonSchema): Reader {
  const inner = nullableInner(schema)
  if (inner) return readerOfNullable(readerOf(inner), inner.type === 'string' && inner.format === undefined)
  if (schema.const !== undefined) return readerOfChoice([schema.const])
  if (schema.enum) return readerOfChoice(schema.enum)
  if (schema.anyOf) return readerOfUnion(schema.anyOf)
  switch (schema.type) {
    case 'boolean':
      return readBoolean
    case 'integer':
    case 'number':
      return readerOfNumber(schema)
    case 'string':
      return isFile(schema) ? readFile : readerOfString(schema)
    case 'array':
      return readerOfArray(readerOf(schema.items ?? {}), { ...mostItems(schema), ...schema })
    case 'object':
      return schema.properties ? readerOfObject(schema) : readerOfRecord(schema)
    default:
      return readAnything
  }
}

function mostItems({ items }: JsonSchema): Pick<JsonSchema, 'maxItems'> {
  const { type } = nullableInner(items ?? {}) ?? items ?? {}
  return type === 'string' || type === 'integer' || type === 'number' ? { maxItems: MAX_SCALARS } : {}
}

const readAnything: Reader = (raw, name, problems) => (isStorable(raw) ? raw : invalid(name, problems))

const readFile: Reader = (raw, name, problems) =>
  raw instanceof UploadedFile ? raw : invalid(name, problems)

/** JSON `null` clears a value; so does the empty string, unless the type accepts it. */
function readerOfNullable(read: Reader, isText: boolean): Reader {
  return (raw, name, problems) => (raw === null || (raw === '' && !isText) ? null : read(raw, name, problems))
}

function readerOfUnion(choices: JsonSchema[]): Reader {
  if (choices.every((choice) => choice.const !== undefined)) {
    return readerOfChoice(choices.map((choice) => choice.const))
  }
  const readers = choices.map(readerOf)
  return (raw, name, problems) => {
    for (const read of readers) {
      const own: string[] = []
      const value = read(raw, name, own)
      if (own.length === 0) return value
    }
    problems.push(`${name} is invalid`)
    return ABSENT
  }
}

function readerOfArray(
  readElement: Reader,
  { minItems = 0, maxItems = Infinity }: Pick<JsonSchema, 'minItems' | 'maxItems'>,
): Reader {
  return (raw, name, problems) => {
    const elements = elementsOf(raw, name)
    if (elements.length < minItems || elements.length > maxItems) {
      problems.push(`${name} has too ${elements.length < minItems ? 'few' : 'many'} values`)
      return ABSENT
    }
    // A problem with a single value that stands for a list is named after the parameter.
    const isSingle = elements.length === 1 && elements[0] === raw
    return elements
      .map((element, index) => readElement(element, isSingle ? name : `${name}[${index}]`, problems))
      .filter((element) => element !== ABSENT)
  }
}

function elementsOf(raw: unknown, name: string): unknown[] {
  if (Array.isArray(raw)) return raw
  if (raw === null || raw === '') return []
  if (isRecord(raw) && Object.keys(raw).every((key) => /^\d+$/.test(key))) return Object.values(raw)
  const isCommaList = typeof raw === 'string' && COMMA_LISTS.has(/(\w*)\]?$/.exec(name)?.[1] ?? '')
  return isCommaList ? raw.split(',').map((element) => element.trim()) : [raw]
}

function readerOfRecord(schema: JsonSchema): Reader {
  const [valueSchema] = Object.values(schema.patternProperties ?? {})
  const readValue = readerOf(valueSchema ?? {})
  return (raw, name, problems) => {
    if (!isRecord(raw)) return isNothing(raw) ? ABSENT : invalid(name, problems)
    if (!Object.keys(raw).every(isStorableText)) return invalid(name, problems)
    const entries = Object.entries(raw).map(([key, value]) => {
      return [key, readValue(value, `${name}[${key}]`, problems)] as const
    })
    return Object.fromEntries(entries.filter(([, value]) => value !== ABSENT))
  }
}

interface Property {
  key: string
  read: Reader
  required: boolean
  byDefault: unknown
}

function readerOfObject(schema: JsonSchema): Reader {
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]): Property => {
    const required = schema.required?.includes(key) ?? false
    return { key, read: readerOf(property), required, byDefault: property.default }
  })
  return (raw, name, problems) => {
    if (!isRecord(raw)) return isNothing(raw) ? ABSENT : invalid(name, problems)
    const read: Record<string, unknown> = {}
    for (const property of properties) readProperty(property, raw, name, read, problems)
    return read
  }
}

function readProperty(
  { key, read, required, byDefault }: Property,
  raw: Record<string, unknown>,
  parent: string,
  into: Record<string, unknown>,
  problems: string[],
): void {
  const name = parent === '' ? key : `${parent}[${key}]`
  const given = Object.hasOwn(raw, key) ? raw[key] : undefined
  const before = problems.length
  const value = given === undefined ? ABSENT : read(given, name, problems)
  if (value !== ABSENT) into[key] = value
  else if (byDefault !== undefined) into[key] = byDefault
  else if (required && problems.length === before) problems.push(`${name} is missing`)
}

function isNothing(raw: unknown): boolean {
  return raw === null || raw === ''
}

function invalid(name: string, problems: string[]): typeof ABSENT {
  problems.push(`${name} is invalid`)
  return ABSENT
}
