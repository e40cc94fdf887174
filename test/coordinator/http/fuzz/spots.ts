import {
  isFile,
  type JsonSchema,
  nullableInner,
} from '../../../../src/coordinator/http/parameters/json-schema.js'

/** Placeholder, in a path of keys, for the name of a key itself. */
export const NEW_KEY: unique symbol = Symbol('new key')

type Key = string | number | typeof NEW_KEY

/** A place within the parameters of an operation that takes a text or a number. */
export interface Spot {
  /** The parameter at the top. */
  parameter: string
  /** As an error names it: `actions[0][content]`. */
  name: string
  takes: 'text' | 'number'
  keys: Key[]
}

/** The spots of a parameter, those of its elements and members included. None for flags and files. */
export function spotsOf(parameter: string, schema: JsonSchema): Spot[] {
  return spotsIn(schema, [parameter]).map(({ takes, keys }) => {
    const [first, ...others] = keys.filter((key) => key !== NEW_KEY)
    return { parameter, name: String(first) + others.map((key) => `[${String(key)}]`).join(''), takes, keys }
  })
}

function spotsIn(schema: JsonSchema, keys: Key[]): Pick<Spot, 'takes' | 'keys'>[] {
  const inner = nullableInner(schema)
  if (inner) return spotsIn(inner, keys)
  if (schema.anyOf?.every((choice) => choice.const === undefined)) {
    return schema.anyOf.flatMap((choice) => spotsIn(choice, keys))
  }
  if (schema.const !== undefined || schema.enum || schema.anyOf) return [{ takes: 'text', keys }]
  switch (schema.type) {
    case 'boolean':
      return []
    case 'integer':
    case 'number':
      return [{ takes: 'number', keys }]
    case 'string':
      return isFile(schema) ? [] : [{ takes: 'text', keys }]
    case 'array':
      return spotsIn(schema.items ?? {}, [...keys, 0])
    case 'object':
      return schema.properties
        ? Object.entries(schema.properties).flatMap(([key, member]) => spotsIn(member, [...keys, key]))
        : [{ takes: 'text', keys: [...keys, NEW_KEY] }, ...spotsIn(valueOf(schema), [...keys, 'k'])]
    default:
      // Anything: a text, and texts within.
      return [
        { takes: 'text', keys },
        { takes: 'text', keys: [...keys, 'k', 0] },
        { takes: 'text', keys: [...keys, NEW_KEY] },
      ]
  }
}

function valueOf({ patternProperties = {} }: JsonSchema): JsonSchema {
  return Object.values(patternProperties)[0] ?? {}
}

/** `params` with `value` at the spot; missing parents are generated from the schema. */
export function withValue(
  params: Record<string, unknown>,
  { parameter, keys }: Spot,
  schema: JsonSchema,
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(params)
  copy[parameter] ??= sampleOf(schema)
  setAt(copy, keys, value)
  return copy
}

function setAt(target: unknown, [key, ...rest]: Key[], value: unknown): void {
  const held = target as Record<string | number, unknown>
  if (key === undefined) return
  if (key === NEW_KEY) define(held, String(value), 'v')
  else if (rest.length === 0) define(held, key, value)
  else {
    if (typeof held[key] !== 'object' || held[key] === null) held[key] = rest[0] === 0 ? [] : {}
    setAt(held[key], rest, value)
  }
}

/** Also under `__proto__`, which an assignment would take for the prototype. */
function define(target: object, key: string | number, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A value that the schema allows. */
function sampleOf(schema: JsonSchema): unknown {
  const choice = (nullableInner(schema) ?? schema).anyOf?.[0]
  const {
    const: only,
    enum: words,
    type,
    format,
    items,
    properties,
    required,
    minimum,
  } = choice ?? nullableInner(schema) ?? schema
  if (only !== undefined) return only
  if (words) return words[0]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'array') return [sampleOf(items ?? {})]
  if (type === 'object') {
    const names = properties ? (required ?? []) : []
    return Object.fromEntries(names.map((name) => [name, sampleOf(properties?.[name] ?? {})]))
  }
  return format === 'date' ? '2990-01-01' : format === 'date-time' ? '2990-01-01T00:00:00Z' : 'x'
}
