import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { pushPipeline, startCiCoordinator } from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { addPerson, type Person } from '../../coordinator/support/test-app.js'

const KEY = 'npm-protected'

/** A job of a protected ref and one of another ref, and caches of both kinds under the same key. */
async function openScene() {
  const coordinator = await startCiCoordinator()
  const { database, project, caches, app } = coordinator
  await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name: 'main',
      push_access_level: 40,
      merge_access_level: 40,
      created_at: Date.now(),
    })
    .execute()
  for (const isProtected of [true, false]) {
    const bytes = Readable.from([isProtected ? 'of protected refs' : 'of other refs'])
    await caches.save({ projectId: project.id, isProtected, key: KEY }, undefined, bytes)
  }
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [a] }')
  const trusted = await runner.takeJob()
  await pushPipeline(coordinator, 'build: { script: [a] }')
  const other = await runner.takeJob()
  await database
    .updateTable('job')
    .set({ protected: false, ref: 'feature' })
    .where('id', '=', other.id)
    .execute()
  await database
    .updateTable('pipeline')
    .set({ protected: false, ref: 'feature' })
    .where('id', '=', (inner) => inner.selectFrom('job').select('pipeline_id').where('id', '=', other.id))
    .execute()
  const join = async (name: string, level: number) => {
    const person = await addPerson(database, name)
    await database
      .insertInto('member')
      .values({ user_id: person.id, project_id: project.id, access_level: level, created_at: Date.now() })
      .execute()
    return person
  }
  const pathOf = (job: { id: number }, key = KEY) => `/projects/${project.id}/jobs/${job.id}/cache?key=${key}`
  const read = async (who: Person | undefined, job: { id: number }, key?: string) => {
    const { statusCode, body } = await app.call(who, `GET ${pathOf(job, key)}`)
    return statusCode === 200 ? body : statusCode
  }
  return { ...coordinator, trusted, other, join, read, pathOf }
}

test('people read the caches of a job that they may start, and of no other', async () => {
  const { trusted, other, join, read, admin, database } = await openScene()
  const [both, others] = [
    { trusted: 'of protected refs', other: 'of other refs' },
    { other: 'of other refs' },
  ]
  const of = async (who: Person | undefined) => ({
    trusted: await read(who, trusted),
    other: await read(who, other),
  })
  expect(await of(undefined)).toEqual({ trusted: 401, other: 401 })
  expect(await of(await addPerson(database, 'stranger'))).toEqual({ trusted: 404, other: 404 })
  expect(await of(await join('guest', 10))).toEqual({ trusted: 403, other: 403 })
  expect(await of(await join('reporter', 20))).toEqual({ trusted: 403, other: 403 })
  expect(await of(await join('developer', 30))).toEqual({ ...others, trusted: 403 })
  expect(await of(await join('maintainer', 40))).toEqual(both)
  expect(await of(admin)).toEqual(both)
  await database.updateTable('project').set({ visibility: 'public' }).execute()
  expect(await of(undefined)).toEqual({ trusted: 401, other: 401 })
})

test('neither the key nor the token of a job or a program leads to another cache', async () => {
  const { trusted, other, join, read, pathOf, app, database } = await openScene()
  const developer = await join('developer', 30)
  for (const key of ['npm', `../${KEY}`, `%2e%2e/protected/${KEY}`, `1-protected/${KEY}`])
    expect([key, await read(developer, other, key)]).toEqual([key, 404])
  const program = await addPerson(database, 'program', { admin: true, scopes: ['mcp'] })
  const tokens = [{ 'job-token': trusted.token }, { authorization: `Bearer ${program.token}` }]
  for (const headers of tokens)
    expect((await app.app.inject({ url: `/api/v4${pathOf(trusted)}`, headers })).statusCode).toBe(403)
})

test('a cache that is on the machine of the person already is not sent again', async () => {
  const { other, pathOf, app, admin } = await openScene()
  const get = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    app.app.inject({
      method,
      url: `/api/v4${pathOf(other)}`,
      headers: { 'private-token': admin.token, ...headers },
    })
  const first = await get({})
  const known = { 'if-none-match': String(first.headers['etag']) }
  expect((await get(known)).statusCode).toBe(304)
  expect((await get({}, 'HEAD')).headers).toMatchObject({
    etag: first.headers['etag'],
    'content-length': '13',
  })
})
