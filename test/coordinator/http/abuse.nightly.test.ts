import { expect, test } from 'vitest'

import { insertGroup } from '../../../src/coordinator/accounts/groups/store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { listOperations } from '../../../src/coordinator/start/operations/operations.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { declaredOperations } from '../support/declared-operations.js'
import { setSettings } from '../support/set-settings.js'
import { addPerson, type Person } from '../support/test-app.js'
import { openTestApp, openTestServices } from '../support/test-coordinator.js'

// Every operation of the API is tried with what attackers try. It must respond, as something that a client can do
// something about, and disclose no data of other users.

/** Stand in the place of one part of a path, as they travel. What a number means depends on the database, too. */
const NUMBERS = {
  'a negative number': '-1',
  zero: '0',
  'a number beyond 32 bits': '2147483648',
  'a number beyond 53 bits': '9007199254740993',
  'a number beyond 64 bits': '99999999999999999999',
  'a fraction': '1.5',
}
const WORDS = {
  'a NUL': 'a%00b',
  'steps up': '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a step up': '%2e%2e',
  'a line break': 'x%0d%0aSet-Cookie:%20a=b',
  quotes: "1'%20or%20'1'='1",
  wildcards: '%25_*%5B',
  'half a character': '%ed%a0%80',
  'a long word': 'x'.repeat(7000),
}

const BODY_TRICKS: Record<string, string> = {
  'a hundred levels': `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  'ten thousand levels': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'a prototype': '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
  'the same key twice': '{"name":"a","name":["b"],"id":1,"id":"2"}',
  'no object': '[1]',
  'half a body': '{"name":',
}

/** Texts that must not be disclosed. */
const SECRET = 'a-secret-of-somebody-else'

/** With a body that says nothing these end what the others need. */
const ENDS_IT = /^(DELETE \/(projects|groups|users)\/:id|(DELETE|POST) \/personal_access_tokens\/self.*)$/

async function open(openDatabase: OpenDatabase) {
  const services = await openTestServices({
    open: openDatabase,
    settings: {
      rateLimits: { authenticated: 0, unauthenticated: 0, failedAuthentications: 0, archives: 0 },
    },
  })
  await setSettings(services, { notes_create_limit: 0, search_rate_limit: 0, users_get_by_id_limit: 0 })
  const { database } = services
  const { app } = openTestApp(services, { operations: listOperations, checkResponses: false })
  const eve = await addPerson(database, 'eve')
  const root = await addPerson(database, 'root', { admin: true })
  const victim = await addPerson(database, 'victim')
  const call = (as: Person, method: string, url: string, body?: string) =>
    app.inject({
      method: method as 'GET',
      url: `/api/v4${url}`,
      headers: { 'private-token': as.token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: body }),
    })
  const hidden = { visibility: 'private', description: SECRET }
  await call(victim, 'POST', '/projects', JSON.stringify({ name: 'hidden', ...hidden }))
  await call(victim, 'POST', '/groups', JSON.stringify({ name: 'h', path: 'h', ...hidden }))
  const made = await call(eve, 'POST', '/projects', JSON.stringify({ name: 'own' }))
  const place = { kind: 'group', name: 'e', path: 'e', full_path: 'e', visibility: 'private' } as const
  const group = await inTransaction(database, (tx) => insertGroup(tx, { ...place, created_at: 0 }, eve.id))
  const spare = await addPerson(database, 'spare')
  const own: Record<string, number> = {
    projects: made.json<{ id: number }>().id,
    groups: group.id,
    users: spare.id,
  }
  /** Calls an operation as a user with permission. */
  const callBy = ({ access, method }: Operation, url: string, body?: string) =>
    call(access === 'administrator' ? root : eve, method, url, body)
  return { call, callBy, eve, own, operations: await declaredOperations() }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Parts of a path that are names of something. */
function namesIn({ path }: Operation): string[] {
  return path.match(/[:*]\w+/g) ?? []
}

/** The address of an operation on Eve's own objects, with `value` as one path parameter. */
function addressOf({ path }: Operation, own: Opened['own'], name?: string, value = ''): string {
  const first = path.split('/')[1] ?? ''
  const ownId = String(own[first] ?? NOBODYS)
  return path.replace(/[:*]\w+/g, (part) => {
    if (part === name) return value
    return part === ':id' ? ownId : NOBODYS
  })
}

/** The bodies of operations that exist to say that there is none. */
const NOT_OFFERED = 501

/** The number of nothing at all. */
const NOBODYS = '4711'

interface Attempt {
  what: string
  response: () => Promise<{ statusCode: number; body: string; headers: Record<string, unknown> }>
}

/** Sentences about what was served as it must not be. */
async function complaintsOf(attempts: Attempt[]): Promise<string[]> {
  const complaints: string[] = []
  const waiting = attempts.values()
  const work = async () => {
    for (const { what, response } of waiting) {
      const { statusCode, body, headers } = await response()
      if (statusCode >= 500 && statusCode !== NOT_OFFERED) complaints.push(`${what}: ${statusCode}`)
      if (body.includes(SECRET)) complaints.push(`${what}: tells what is somebody else's`)
      if (headers['set-cookie'] !== undefined) complaints.push(`${what}: a header was smuggled in`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return complaints
}

async function tryPaths(openDatabase: OpenDatabase, tricks: Record<string, string>): Promise<void> {
  const { callBy, own, operations } = await open(openDatabase)
  const attempts = operations.flatMap((operation) =>
    namesIn(operation).flatMap((name) =>
      Object.entries(tricks).map(([trick, value]) => ({
        what: `${operation.method} ${operation.path} with ${trick} as ${name}`,
        response: () =>
          callBy(
            operation,
            addressOf(operation, own, name, value),
            operation.method === 'GET' ? undefined : '{}',
          ),
      })),
    ),
  )
  expect(await complaintsOf(attempts)).toEqual([])
}

/** As far as it matters here. */
interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
}

const UNEXPECTED: Record<string, unknown[]> = {
  string: ['x\0y', '../../../etc/passwd', '\r\nX-Smuggled: yes', 'x'.repeat(10_000), '%_\\', '-'],
  integer: [2147483648, -1, Number.MAX_SAFE_INTEGER, 0],
  array: [['x\0y'], [-1], Array.from({ length: 1000 }, () => 'x')],
}

const FILLERS: Record<string, unknown> = { string: 'x', integer: 1, boolean: true, array: ['x'], object: {} }

/** Those that are not in the path. */
function parametersOf(operation: Operation): [string, Schema][] {
  const inPath = namesIn(operation).map((name) => name.slice(1))
  return Object.entries<Schema>(operation.params?.properties ?? {}).filter(([name]) => !inPath.includes(name))
}

function requiredOf(operation: Operation): Record<string, unknown> {
  const required: readonly string[] = operation.params?.required ?? []
  return Object.fromEntries(
    parametersOf(operation)
      .filter(([name]) => required.includes(name))
      .map(([name, schema]) => [name, innerOf(schema).const ?? FILLERS[innerOf(schema).type ?? '']]),
  )
}

/** All for a number, whose column has a size of its own; else one or the other of them. */
function unexpectedFor(schema: Schema, index: number): unknown[] {
  const { type = '' } = innerOf(schema)
  const values = UNEXPECTED[type] ?? []
  return type === 'integer' ? values : values.filter((_, number) => number === index % values.length)
}

/** Without null; of several choices the first. */
function innerOf(schema: Schema): Schema {
  const choice = schema.anyOf?.find(({ type }) => type !== 'null')
  return choice ? innerOf(choice) : schema
}

describeOnDatabase('Every operation', (openDatabase) => {
  test('handles any number in its path', () => tryPaths(openDatabase, NUMBERS))
  test('handles any word in its path', () => tryPaths(openDatabase, WORDS))

  test('handles any value in its body', async () => {
    const { call, callBy, eve, own, operations } = await open(openDatabase)
    const attempts = operations
      .filter(({ method, path }) => method !== 'GET' && !ENDS_IT.test(`${method} ${path}`))
      .flatMap((operation) =>
        Object.entries(BODY_TRICKS).map(([trick, body]) => ({
          what: `${operation.method} ${operation.path} with ${trick}`,
          response: () => callBy(operation, addressOf(operation, own), body),
        })),
      )
    expect(await complaintsOf(attempts)).toEqual([])
    expect(Object.prototype).not.toHaveProperty('admin')
    const me = await call(eve, 'GET', '/user')
    expect([me.statusCode, me.json<{ is_admin?: boolean }>().is_admin ?? false]).toEqual([200, false])
  })

  test('bears parameters of a wrong type', async () => {
    const { call, callBy, eve, own, operations } = await open(openDatabase)
    const wrong = [
      -1,
      9007199254740992,
      1e308,
      'x\0y',
      'x'.repeat(10_000),
      '\r\nX: y',
      [[]],
      { a: { b: 1 } },
      '\ud800',
    ]
    const attempts = operations
      .filter(({ method, path }) => !ENDS_IT.test(`${method} ${path}`))
      .flatMap((operation) =>
        wrong.map((value) => {
          const names = Object.keys(operation.params?.properties ?? {})
          const inPath = namesIn(operation).map((name) => name.slice(1))
          const params = Object.fromEntries(
            names.filter((name) => !inPath.includes(name)).map((name) => [name, value]),
          )
          return {
            what: `${operation.method} ${operation.path} with ${JSON.stringify(value).slice(0, 20)}`,
            response: () => callBy(operation, addressOf(operation, own), JSON.stringify(params)),
          }
        }),
      )
    expect(await complaintsOf(attempts)).toEqual([])
    expect((await call(eve, 'GET', '/user')).statusCode).toBe(200)
  })

  test('bears values that nobody expects, where they are of the right type', async () => {
    const { callBy, own, operations } = await open(openDatabase)
    const attempts = operations
      .filter(({ method, path }) => !ENDS_IT.test(`${method} ${path}`))
      .flatMap((operation) =>
        parametersOf(operation).flatMap(([name, schema], index) =>
          unexpectedFor(schema, index).map((value) => {
            const body = JSON.stringify({ ...requiredOf(operation), [name]: value })
            return {
              what: `${operation.method} ${operation.path} with ${JSON.stringify(value).slice(0, 20)} as ${name}`,
              response: () => callBy(operation, addressOf(operation, own), body),
            }
          }),
        ),
      )
    expect(await complaintsOf(attempts)).toEqual([])
  })
})
