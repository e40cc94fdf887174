import { expect, test } from 'vitest'

import { Service } from '../../conformance/support/service.js'
import { openForFile } from '../../support/lifetime.js'
import { declaredOperations } from '../support/declared-operations.js'

/** Checked with the commit that they name. */
const OF_GIT = [
  'DELETE /projects/:id/repository/branches/:branch',
  'DELETE /projects/:id/repository/tags/:tag_name',
]

test('every DELETE of a record that is shown with the time of its change can be made conditional on it', async () => {
  const operations = await declaredOperations()
  const shown = new Set(
    operations
      .filter(({ method, responses }) => method === 'GET' && hasTime(responses))
      .map(({ path }) => path),
  )
  const deletes = operations.filter(({ method, path }) => method === 'DELETE' && shown.has(path))
  const unconditional = deletes
    .filter(({ modifiedAt }) => !modifiedAt)
    .map(({ path }) => `DELETE ${path}`)
    .filter((name) => !OF_GIT.includes(name))
  expect(unconditional).toEqual([])
  expect(deletes.length).toBeGreaterThan(4)
})

/** With the project 1 and the group `owners`. */
const shared = openForFile(async () => {
  const service = await Service.start()
  await service.json('POST', '/projects', { name: 'app' })
  await service.json('POST', '/groups', { name: 'owners', path: 'owners' })
  return {
    call: (method: string, path: string, body?: object, since?: string) =>
      service.fetch(method, path, {
        as: service.root,
        ...(body && { body }),
        ...(since !== undefined && { headers: { 'if-unmodified-since': since } }),
      }),
    /** Moves the creation of the rows of a table into the past. */
    age: (table: string) =>
      service.writeStore((database) =>
        database
          .updateTable(table as 'runner')
          .set({ created_at: 1000 })
          .execute(),
      ),
  }
})

const RECORDS: [name: string, table: string, post: string, body: object, change: object | undefined][] = [
  ['a group', 'namespace', '/groups', { name: 'team', path: 'team' }, { description: 'new' }],
  ['a hook', 'web_hook', '/projects/1/hooks', { url: 'https://receiver.example/hook' }, { name: 'new' }],
  ['a system hook', 'web_hook', '/hooks', { url: 'https://receiver.example/hook' }, { name: 'new' }],
  [
    'a group hook',
    'web_hook',
    '/groups/owners/hooks',
    { url: 'https://receiver.example/hook' },
    { name: 'new' },
  ],
  ['a variable', 'ci_variable', '/projects/1/variables', { key: 'A', value: 'b' }, { value: 'c' }],
  ['a trigger', 'trigger_token', '/projects/1/triggers', { description: 'a' }, { description: 'b' }],
  ['an environment', 'environment', '/projects/1/environments', { name: 'a' }, { external_url: 'http://a/' }],
  ['a runner', 'runner', '/user/runners', { runner_type: 'instance_type' }, { description: 'new' }],
  ['a project', 'project', '/projects', { name: 'other' }, { description: 'new' }],
]

test.each(RECORDS)(
  '%s that was changed later than If-Unmodified-Since stays, and 412 is the response',
  async (name, table, post, body, change) => {
    const { call, age } = shared()
    const created = await call('POST', post, body)
    expect(created.status).toBe(201)
    const record = (await created.json()) as { id: number; key?: string }
    const at = name === 'a runner' ? `/runners/${record.id}` : `${post}/${record.key ?? record.id}`
    await age(table)
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000).toUTCString()
    expect((await call('PUT', at, change)).status).toBe(200)
    const refused = await call('DELETE', at, undefined, yesterday)
    expect([refused.status, await refused.json()]).toEqual([412, { message: '412 Precondition Failed' }])
    expect((await call('PUT', at, change)).status).toBe(200)
    if (name === 'an environment') await call('POST', `${at}/stop`)
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toUTCString()
    expect((await call('DELETE', at, undefined, tomorrow)).ok).toBe(true)
  },
)

test('a wiki page whose last commit is later than If-Unmodified-Since stays', async () => {
  const { call } = shared()
  await call('POST', '/projects/1/wikis', { title: 'home', content: 'a' })
  const at = '/projects/1/wikis/home'
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000).toUTCString()
  expect((await call('DELETE', at, undefined, yesterday)).status).toBe(412)
  const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toUTCString()
  expect((await call('DELETE', at, undefined, tomorrow)).status).toBe(204)
})

function hasTime(responses: Record<number, unknown>): boolean {
  const properties = (responses[200] as { properties?: object } | undefined)?.properties
  return properties !== undefined && 'updated_at' in properties
}
