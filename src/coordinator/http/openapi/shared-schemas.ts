import type { JsonSchema } from '../parameters/json-schema.js'
import { exampleOf } from './example.js'
import { typeNameOf } from './openapi-names.js'

/** Smaller schemas are repeated inline, because a reference would hardly be shorter. */
const LEAST_CHARACTERS = 250

interface Reference {
  $ref: string
  description?: string
}

export type SchemaOrReference = Reference | Omit<JsonSchema, 'properties' | 'items'>

interface SchemaUse {
  schema: JsonSchema
  times: number
  /** Its names where it was found, with their number of uses. */
  names: Map<string, number>
  /** Whether it was found as a complete response or as an item of one. */
  isRecord: boolean
}

/**
 * Objects that occur more than once in an OpenAPI document, to be written once and referenced. All schemas
 * must be recorded before the first reference is requested. Objects that differ only in their own description
 * are merged, because the description belongs to the place of use.
 */
export class SharedSchemas {
  private readonly uses = new Map<string, SchemaUse>()
  private readonly names = new Map<string, string>()
  private readonly written = new Map<string, JsonSchema>()
  private readonly keys = new WeakMap<JsonSchema, string>()

  /** Records the schema of a response; `name` = its preferred name, such as `ProjectHook`. */
  record(schema: JsonSchema, name: string): void {
    this.visit(schema, name, true)
  }

  /** Call it after all schemas are recorded. */
  finalize(): void {
    const taken = new Set(this.written.keys())
    for (const [key, { times, names }] of this.uses) {
      if (times === 1 || key.length < LEAST_CHARACTERS) continue
      const name = freeName(names, taken)
      taken.add(name)
      this.names.set(key, name)
    }
  }

  /** Returns the schema with references to shared parts, or a reference to the whole. */
  referring(schema: JsonSchema): SchemaOrReference {
    const name = this.nameOf(schema)
    if (name === undefined) return mapped(schema, (inner) => this.referring(inner))
    const { description } = schema
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) }
  }

  /** Whether the schema, or that of its items, is a shared component, which has an example. */
  isElsewhere(schema: JsonSchema): boolean {
    return this.nameOf(schema.items ?? schema) !== undefined
  }

  /** Stores a schema under an unused name. */
  write(name: string, schema: JsonSchema): Reference {
    this.written.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The shared schemas by name. */
  components(): Record<string, object> {
    const shared = [...this.names].map(([key, name]): [string, object] => {
      const { schema, isRecord } = this.uses.get(key)!
      const { description, ...rest } = schema
      const object = mapped(rest, (inner) => this.referring(inner))
      return [name, { ...object, ...(isRecord && { examples: [exampleOf(schema)] }) }]
    })
    return Object.fromEntries<object>([...shared, ...this.written])
  }

  private visit(schema: JsonSchema, name: string, isRecord: boolean): void {
    if (schema.properties && this.recordObject(schema, name, isRecord) > 1) return
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      this.visit(inner, typeNameOf(field), false)
    }
    for (const inner of Object.values(schema.patternProperties ?? {})) this.visit(inner, name, false)
    if (schema.items) this.visit(schema.items, name, isRecord)
    for (const choice of schema.anyOf ?? []) this.visit(choice, name, isRecord)
  }

  /** Returns the number of uses so far. */
  private recordObject(schema: JsonSchema, name: string, isRecord: boolean): number {
    const key = this.keyOf(schema)
    const use: SchemaUse = this.uses.get(key) ?? { schema, times: 0, names: new Map(), isRecord: false }
    use.times += 1
    use.isRecord ||= isRecord
    use.names.set(name, (use.names.get(name) ?? 0) + 1)
    this.uses.set(key, use)
    return use.times
  }

  private nameOf(schema: JsonSchema): string | undefined {
    return schema.properties && this.names.get(this.keyOf(schema))
  }

  /** Most schemas are one object wherever they are used. */
  private keyOf(schema: JsonSchema): string {
    const key = this.keys.get(schema) ?? serializeShape(schema)
    this.keys.set(schema, key)
    return key
  }
}

function serializeShape({ description, ...schema }: JsonSchema): string {
  return JSON.stringify(schema)
}

/** The most frequent name that is not taken; otherwise the most frequent name with a number. */
function freeName(names: ReadonlyMap<string, number>, taken: ReadonlySet<string>): string {
  const wanted = [...names].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const free = wanted.find((name) => !taken.has(name))
  if (free !== undefined) return free
  const [first = 'Record'] = wanted
  let number = 2
  while (taken.has(`${first}${number}`)) number += 1
  return `${first}${number}`
}

/** The schema with its inner schemas replaced. */
function mapped(schema: JsonSchema, change: (inner: JsonSchema) => SchemaOrReference): SchemaOrReference {
  const { properties, patternProperties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties && { properties: changed(properties) }),
    ...(patternProperties && { patternProperties: changed(patternProperties) }),
    ...(items && { items: change(items) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
  }

  function changed(fields: Record<string, JsonSchema>): Record<string, SchemaOrReference> {
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
  }
}
