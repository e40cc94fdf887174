import type { JsonSchema } from '../parameters/json-schema.js'
import { exampleOf } from './example.js'
import { typeNameOf } from './openapi-names.js'

/** Smaller ones stand where they are used: a reference would hardly be shorter. */
const LEAST_CHARACTERS = 250

interface Reference {
  $ref: string
  description?: string
}

export type SchemaOrReference = Reference | Omit<JsonSchema, 'properties' | 'items'>

interface SchemaUse {
  schema: JsonSchema
  times: number
  /** What it was called where it was found, with how often. */
  names: Map<string, number>
  /** Whether it was found as the whole of an answer, or as an entry of one. */
  isRecord: boolean
}

/**
 * Objects that an OpenAPI document shows more than once, to be written once and referred to. Every schema is noted before
 * the first is asked for. Descriptions tell of the place, so that objects that differ in theirs alone are one.
 */
export class SharedSchemas {
  private readonly uses = new Map<string, SchemaUse>()
  private readonly names = new Map<string, string>()
  private readonly written = new Map<string, JsonSchema>()
  private readonly keys = new WeakMap<JsonSchema, string>()

  /** The schema of an answer; `name` = what it would be called, such as `ProjectHook`. */
  note(schema: JsonSchema, name: string): void {
    this.visit(schema, name, true)
  }

  /** To be called when all are noted. */
  settle(): void {
    const taken = new Set(this.written.keys())
    for (const [key, { times, names }] of this.uses) {
      if (times === 1 || key.length < LEAST_CHARACTERS) continue
      const name = freeName(names, taken)
      taken.add(name)
      this.names.set(key, name)
    }
  }

  /** The schema with references for what is shared in it, or a reference to it. */
  referring(schema: JsonSchema): SchemaOrReference {
    const name = this.nameOf(schema)
    if (name === undefined) return mapped(schema, (inner) => this.referring(inner))
    const { description } = schema
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) }
  }

  /** Whether the schema, or that of its entries, is written elsewhere, with an example. */
  isElsewhere(schema: JsonSchema): boolean {
    return this.nameOf(schema.items ?? schema) !== undefined
  }

  /** Writes a schema under a name that no other has. */
  write(name: string, schema: JsonSchema): Reference {
    this.written.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** What is referred to, by name. */
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
    if (schema.properties && this.noteObject(schema, name, isRecord) > 1) return
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      this.visit(inner, typeNameOf(field), false)
    }
    for (const inner of Object.values(schema.patternProperties ?? {})) this.visit(inner, name, false)
    if (schema.items) this.visit(schema.items, name, isRecord)
    for (const choice of schema.anyOf ?? []) this.visit(choice, name, isRecord)
  }

  /** How often it was met up to now. */
  private noteObject(schema: JsonSchema, name: string, isRecord: boolean): number {
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
    const key = this.keys.get(schema) ?? textOf(schema)
    this.keys.set(schema, key)
    return key
  }
}

function textOf({ description, ...schema }: JsonSchema): string {
  return JSON.stringify(schema)
}

/** What it is called most often, of what nothing else is called; else the first of these with a number. */
function freeName(names: ReadonlyMap<string, number>, taken: ReadonlySet<string>): string {
  const wanted = [...names].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const free = wanted.find((name) => !taken.has(name))
  if (free !== undefined) return free
  const [first = 'Record'] = wanted
  let number = 2
  while (taken.has(`${first}${number}`)) number += 1
  return `${first}${number}`
}

/** The same schema with other schemas in it. */
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
