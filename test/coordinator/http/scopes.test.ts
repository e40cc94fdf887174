import { expect, test } from 'vitest'

import { openPeopleApi, type PeopleApi } from '../support/people-api.js'
import { addPerson } from '../support/test-app.js'

/** One of each kind of route: about oneself, about people, about projects, for runners, and about the very token. */
const ROUTES: [route: string, body?: object][] = [
  ['GET /user'],
  ['GET /users'],
  ['PUT /user/status', { emoji: 'tea' }],
  ['GET /projects'],
  ['POST /projects', { name: 'app' }],
  ['GET /personal_access_tokens'],
  ['GET /personal_access_tokens/self'],
  ['POST /personal_access_tokens/self/rotate'],
]

const ALL = [200, 200, 200, 200, 201, 200, 200, 200]
const READ = [200, 200, 403, 200, 403, 200, 200, 403]
const ONLY_ITSELF = [403, 403, 403, 403, 403, 403, 200, 403]

test.each<[scope: string, statuses: number[]]>([
  ['api', ALL],
  ['read_api', READ],
  ['read_user', [200, 200, 403, 403, 403, 403, 200, 403]],
  ['read_repository', ONLY_ITSELF],
  ['write_repository', ONLY_ITSELF],
  ['create_runner', ONLY_ITSELF],
  ['manage_runner', ONLY_ITSELF],
  ['read_registry', ONLY_ITSELF],
  ['sudo', ONLY_ITSELF],
  ['k8s_proxy', ONLY_ITSELF],
  ['mcp', ONLY_ITSELF],
  ['self_rotate', [403, 403, 403, 403, 403, 403, 200, 200]],
])('a token with the scope %s is accepted for the operations of that scope', async (scope, statuses) => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary', { scopes: [scope] })
  expect(await statusesOf(api, mary)).toEqual(statuses)
})

test('the error for a missing scope names the scopes that suffice', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary', { scopes: ['read_user'] })
  expect((await api.call(mary, 'GET /projects')).json()).toEqual({
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api read_api',
  })
})

async function statusesOf(api: PeopleApi, mary: Parameters<PeopleApi['call']>[0]): Promise<number[]> {
  const statuses = []
  for (const [route, body] of ROUTES) statuses.push((await api.call(mary, route, body)).statusCode)
  return statuses
}
