import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../src/coordinator/database/connect.js'
import { storeVersion } from '../../../src/coordinator/database/store-version.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { operation } from '../../../src/coordinator/http/operation.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { ResponseCache } from '../../../src/coordinator/http/response-cache.js'
import { deferred } from '../../../src/lib/deferred.js'
import { describeOnEachDatabase, openSqlite } from '../../support/databases.js'
import { addMember, addProject, openPeopleApi, type PeopleApi } from '../support/people-api.js'
import { addPerson, openApp, type Person } from '../support/test-app.js'

/** An API with one operation that returns how often it was called, with a clock that does not advance. */
async function openCounting(more: Parameters<typeof openApp>[2] = {}) {
  const { database, settings } = await openSqlite()
  const clock = { now: 0 }
  const made = { count: 0, wait: async (): Promise<void> => undefined }
  const count = operation('GET /count', {
    summary: 'Tell how often this was served',
    access: 'anyone',
    params: Type.Object({ fresh: Type.Optional(Type.Boolean()) }),
    responses: { 200: Type.Object({ count: Type.Integer() }) },
    cacheable: ({ fresh }) => !fresh,
    run: async () => {
      const record = { count: ++made.count }
      await made.wait()
      return record
    },
  })
  const responseCache = new ResponseCache(
    () => storeVersion(database),
    () => clock.now,
  )
  const api = openApp(database, [count], { responseCache, ...more })
  const ask = async (as?: Person, path = '/count') => {
    const response = await api.call(as, `GET ${path}`)
    return response.json<{ count: number }>().count
  }
  return Object.assign(api, { ask, clock, database, made, settings })
}

function write(database: Database, key: string): Promise<unknown> {
  return database.insertInto('instance_setting').values({ key, value: '' }).execute()
}

test('a response is served from the cache until the next commit', async () => {
  const { ask, database, settings } = await openCounting()
  expect([await ask(), await ask()]).toEqual([1, 1])
  await write(database, 'a')
  expect([await ask(), await ask()]).toEqual([2, 2])

  const other = connectDatabase(settings)
  try {
    await write(other, 'b')
    expect([await ask(), await ask()]).toEqual([3, 3])
    await inTransaction(other, async (tx) => {
      await tx.deleteFrom('instance_setting').execute()
      expect(await ask()).toBe(3)
    })
    expect(await ask()).toBe(4)
  } finally {
    await other.destroy()
  }
})

test('a response computed during a commit is given only to earlier requests', async () => {
  const { ask, database, made } = await openCounting()
  const gate = deferred()
  made.wait = () => gate.promise
  const asked = ask()
  await expect.poll(() => made.count).toBe(1)
  await write(database, 'a')
  gate.resolve()
  expect(await asked).toBe(1)
  expect(await ask()).toBe(2)
})

test('a cached response is not used after a second, for another caller or for other parameters', async () => {
  const { ask, clock, database } = await openCounting()
  const mary = await addPerson(database, 'mary')
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  expect([await ask(), await ask(mary), await ask(root), await ask(mary)]).toEqual([1, 2, 3, 2])
  expect([await ask(root, '/count?sudo=mary'), await ask(root)]).toEqual([4, 3])
  clock.now += 999
  expect(await ask()).toBe(1)
  clock.now += 1
  expect(await ask()).toBe(5)
})

test('an operation may exclude responses from the cache by their parameters', async () => {
  const { ask } = await openCounting()
  expect([await ask(undefined, '/count?fresh=yes'), await ask(undefined, '/count?fresh=yes')]).toEqual([1, 2])
})

test('a user named by the sudo header has separate responses', async () => {
  const { app, database } = await openCounting()
  await addPerson(database, 'mary')
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  const ask = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/api/v4/count', headers })).json<{ count: number }>().count
  const personal = { 'private-token': root.token }
  const bearer = { authorization: `Bearer ${root.token}` }
  expect([await ask(personal), await ask({ ...personal, sudo: 'mary' }), await ask(bearer)]).toEqual([
    1, 2, 3,
  ])
  expect([await ask(personal), await ask({ ...personal, sudo: 'mary' }), await ask(bearer)]).toEqual([
    1, 2, 3,
  ])
})

test('a cached response has its ETag, a new request ID, and no body for a client that has it already', async () => {
  const { app } = await openCounting()
  const first = await app.inject('/api/v4/count')
  const again = await app.inject('/api/v4/count')
  const tag = String(first.headers['etag'])
  expect(again.headers).toMatchObject({
    etag: tag,
    'content-type': 'application/json',
    'cache-control': 'max-age=0, private, must-revalidate',
  })
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  const unchanged = await app.inject({ url: '/api/v4/count', headers: { 'if-none-match': tag } })
  expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
  const head = await app.inject({ url: '/api/v4/count', method: 'HEAD' })
  expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', tag])
  expect(head.headers['content-length']).toBe(again.headers['content-length'])
})

test('cached responses count as requests', async () => {
  const rateLimits = new RateLimits({ ...DEFAULT_RATE_LIMITS, unauthenticated: 2 }, () => 0)
  const { app } = await openCounting({ rateLimits })
  const statuses = []
  for (let each = 0; each < 3; each++) statuses.push((await app.inject('/api/v4/count')).statusCode)
  expect(statuses).toEqual([200, 200, 429])
})

describeOnEachDatabase('a cached response', (open, testOnOne) => {
  /** Mary reads a project of another user, and has just done so twice. */
  async function openReading() {
    const store = await open()
    const api = await openPeopleApi({ open: async () => store })
    const mary = await addPerson(api.database, 'mary')
    const project = await addProject(api, api.root, { name: 'app' })
    await addMember(api, api.root, project.id, mary, 20)
    const read = () => api.call(mary, `GET /projects/${project.id}`)
    for (const response of [await read(), await read()]) expect(response.statusCode).toBe(200)
    return { api, mary, project, read, store }
  }

  const changes: [string, (api: PeopleApi, mary: Person, projectId: number) => Promise<unknown>, number][] = [
    ['a token that is revoked', (api, mary) => api.call(mary, 'DELETE /personal_access_tokens/self'), 401],
    ['a user who is blocked', (api, mary) => api.call(api.root, `POST /users/${mary.id}/block`), 403],
    [
      'a member who is removed',
      (api, mary, id) => api.call(api.root, `DELETE /projects/${id}/members/${mary.id}`),
      404,
    ],
    ['a project that is deleted', (api, _mary, id) => api.call(api.root, `DELETE /projects/${id}`), 404],
  ]
  testOnOne.each(changes)('is invalidated for %s', async (_what, change, status) => {
    const { api, mary, project, read } = await openReading()
    await change(api, mary, project.id)
    expect((await read()).statusCode).toBe(status)
  })

  testOnOne('has the new name of a project at once', async () => {
    const { api, project, read } = await openReading()
    await api.call(api.root, `PUT /projects/${project.id}`, { name: 'renamed' })
    expect((await read()).json()).toMatchObject({ name: 'renamed' })
  })

  test('includes commits of another coordinator immediately, but no rolled back changes', async () => {
    const { project, read, store } = await openReading()
    const other = connectDatabase(store.settings)
    try {
      await other.updateTable('project').set({ name: 'elsewhere' }).where('id', '=', project.id).execute()
      expect((await read()).json()).toMatchObject({ name: 'elsewhere' })
      const takenBack = inTransaction(other, async (tx) => {
        await tx.updateTable('project').set({ name: 'never' }).where('id', '=', project.id).execute()
        expect((await read()).json()).toMatchObject({ name: 'elsewhere' })
        throw new Error('taken back')
      })
      await expect(takenBack).rejects.toThrow('taken back')
      expect((await read()).json()).toMatchObject({ name: 'elsewhere' })
    } finally {
      await other.destroy()
    }
  })
})

describeOnEachDatabase('the version of the store', (open) => {
  test('is another one after each commit, of whichever process, and never an earlier one', async () => {
    const { database, settings } = await open()
    const other = connectDatabase(settings)
    try {
      const versions = [await storeVersion(database)]
      for (const writer of [database, other, database, other]) {
        await write(writer, `key ${versions.length}`)
        versions.push(await storeVersion(database))
      }
      expect(new Set(versions).size).toBe(versions.length)
    } finally {
      await other.destroy()
    }
  })
})
