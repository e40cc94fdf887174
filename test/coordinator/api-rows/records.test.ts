import { expect, test } from 'vitest'

import type { Operation } from '../../../src/coordinator/http/operation.js'
import { type JsonSchema, nullableInner } from '../../../src/coordinator/http/parameters/json-schema.js'
import { declaredOperations } from '../support/declared-operations.js'
import { type FieldRow, type RecordRow, recordRows } from './record-rows.js'
import { shapeOf } from './rows.js'

/** Responses that one schema can have: those of a union, or the parts that make it up, too. */
interface ResponseSchema extends JsonSchema {
  allOf?: ResponseSchema[]
}

test('every field of every record is declared with its type, and as null where it can be', async () => {
  const operations = new Map(
    (await declaredOperations()).map((each) => [shapeOf(`${each.method} ${each.path}`), each]),
  )
  const surprises = recordRows.flatMap((row) => surprisesOf(row, operations.get(shapeOf(pathOf(row)))))
  expect(surprises).toEqual([])
})

function pathOf({ route }: RecordRow): string {
  return route.replace(/\?.*/, '')
}

function surprisesOf(row: RecordRow, operation: Operation | undefined): string[] {
  const name = [row.route, ...row.at].join(' > ')
  const responses = Object.entries(operation?.responses ?? {})
  let schema: ResponseSchema | undefined = responses.find(([status]) => status.startsWith('2'))?.[1]
  for (const part of row.at) schema = schema && propertiesOf(schema).get(part)
  if (!schema) return [`${name} is not there`]
  const properties = propertiesOf(schema)
  return row.fields.flatMap((field) => {
    const wanted = wantedOf(field)
    const declared = properties.get(field.name)
    const found = declared ? declaredType(declared) : 'nothing'
    return found === wanted || found.includes('anything')
      ? []
      : [`${name}: ${field.name} is ${found}, not ${wanted}`]
  })
}

const DECLARED = { integer: 'i', number: 'f', boolean: 'b', string: 's', object: 'o', null: 'null' } as const
type DeclaredName = keyof typeof DECLARED

function wantedOf({ type, isNullable }: FieldRow): string {
  return `${type === 'dt' || type === 'd' ? 's' : type}${isNullable ? '?' : ''}`
}

function declaredType(schema: ResponseSchema): string {
  const inner: ResponseSchema | undefined = nullableInner(schema)
  if (inner) return `${declaredType(inner)}?`
  if (schema.allOf) return 'o'
  if (schema.anyOf) return [...new Set(schema.anyOf.map(declaredType))].join(' or ')
  if (schema.const !== undefined || schema.enum) return typeof schema.const === 'boolean' ? 'b' : 's'
  if (schema.type === 'array') return `[${declaredType(schema.items ?? {})}]`
  return schema.type !== undefined && isDeclared(schema.type) ? DECLARED[schema.type] : 'anything'
}

function isDeclared(type: string): type is DeclaredName {
  return Object.hasOwn(DECLARED, type)
}

/** Of the record, of those in a list, or of all kinds that a record can be. */
function propertiesOf(schema: ResponseSchema): Map<string, ResponseSchema> {
  const inner: ResponseSchema = nullableInner(schema) ?? schema
  if (inner.type === 'array') return propertiesOf(inner.items ?? {})
  const parts = inner.allOf ?? inner.anyOf
  if (parts) return new Map(parts.flatMap((part) => [...propertiesOf(part)]))
  return new Map(Object.entries(inner.properties ?? {}))
}
