import { expect, test } from 'vitest'

import { isRecord } from '../../src/lib/is-record.js'
import {
  type FieldRow,
  type FieldType,
  type RecordRow,
  recordRows,
} from '../coordinator/api-rows/record-rows.js'
import { type FullScene, openFullScene } from './support/full-scene.js'

const ELSEWHERE = new Set([
  'POST /projects/:id/uploads', // a file is posted, by both clients in uploads.test.ts
  'GET /user/activities', // is written down some time after the call
])

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/

const CHECKS: Record<FieldType, (value: unknown) => boolean> = {
  s: (value) => typeof value === 'string',
  dt: (value) => typeof value === 'string' && TIME.test(value),
  d: (value) => typeof value === 'string' && DAY.test(value),
  i: (value) => Number.isInteger(value),
  f: (value) => typeof value === 'number',
  b: (value) => typeof value === 'boolean',
  o: isRecord,
  null: (value) => value === null,
  '[s]': (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  '[i]': (value) => Array.isArray(value) && value.every((each) => Number.isInteger(each)),
  '[o]': (value) => Array.isArray(value) && value.every(isRecord),
}

test('every record comes with all of its fields, dates and numbers in the forms that clients read', async () => {
  const scene = await openFullScene()
  const results = new Map<string, unknown>()
  for (const row of recordRows) {
    if (ELSEWHERE.has(row.route)) continue
    const name = [row.route, ...row.at].join(' > ')
    const key = scene.parameters[name] ? name : row.route
    if (!results.has(key)) results.set(key, await ask(scene, row.route, scene.parameters[key]))
    expect.soft(problemsOf(row, results.get(key)), name).toEqual([])
  }
})

type Parameters = FullScene['parameters'][string] | undefined

async function ask(
  { service, parameters, bodies }: FullScene,
  route: string,
  own: Parameters,
): Promise<unknown> {
  const [plain = ''] = route.split('?')
  const known = { ...parameters['*'], ...parameters[plain], ...own }
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name] ?? name))
  const body = bodies[plain]
  const response = await service.fetch(method, filled, {
    as: service.root,
    ...(body && { body }),
  })
  const text = await response.text()
  if (!response.ok) return `${response.status} ${text}`
  return JSON.parse(text)
}

function problemsOf({ at, fields }: RecordRow, result: unknown): string[] {
  let record = firstOf(result)
  for (const part of at) record = isRecord(record) ? firstOf(record[part]) : undefined
  if (!isRecord(record)) return [typeof record === 'string' ? record : 'there is none']
  const found = record
  return fields.flatMap((field) => {
    const problem = problemOf(field, found)
    return problem === undefined ? [] : [`${field.name} ${problem}`]
  })
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : value
}

function problemOf({ name, type, isNullable, mayBeAbsent }: FieldRow, record: Record<string, unknown>) {
  const value = record[name]
  if (value === undefined) return mayBeAbsent ? undefined : 'is missing'
  if (value === null && isNullable) return undefined
  return CHECKS[type](value) ? undefined : `is ${JSON.stringify(value)}, not ${type}`
}
