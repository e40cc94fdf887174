/** The part of JSON Schema that parameters are declared with. */
export interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  required?: string[]
  default?: unknown
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  /** Maximum size of a file (`format: binary`). */
  maxBytes?: number
  description?: string
  minimum?: number
  maximum?: number
}

/** Whether `FileParameter` created the schema. */
export function isFile(schema: JsonSchema): boolean {
  return schema.format === 'binary'
}

/** The other schema in a union with `null`; undefined for any other schema. */
export function nullableInner(schema: JsonSchema): JsonSchema | undefined {
  if (!schema.anyOf?.some((choice) => choice.type === 'null')) return undefined
  const others = schema.anyOf.filter((choice) => choice.type !== 'null')
  return others.length === 1 ? others[0] : { anyOf: others }
}
