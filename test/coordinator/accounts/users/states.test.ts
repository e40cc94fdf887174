import { expect, test } from 'vitest'

import type { UserState } from '../../../../src/coordinator/database/tables/users.js'
import { addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { insertRunningJob, jobStatuses } from '../../support/running-job.js'
import { addPerson, type Person } from '../../support/test-app.js'

async function withMary(state: UserState = 'active'): Promise<{ api: PeopleApi; mary: Person }> {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await api.database.updateTable('user').set({ state }).where('id', '=', mary.id).execute()
  return { api, mary }
}

async function change(api: PeopleApi, verb: string, who: { id: number }): Promise<[number, unknown]> {
  const response = await api.call(api.root, `POST /users/${who.id}/${verb}`)
  return [response.statusCode, response.json()]
}

test('a blocked user has no access until unblocked, and their jobs are canceled', async () => {
  const { api, mary } = await withMary()
  const { id: projectId } = await addProject(api, mary, { name: 'app' })
  await insertRunningJob(api.database, { projectId, userId: mary.id })
  expect(await change(api, 'block', mary)).toEqual([201, true])
  expect(await change(api, 'block', mary)).toEqual([201, null])
  expect(await jobStatuses(api.database)).toEqual(['canceled'])
  const refused = await api.call(mary, 'GET /user')
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { message: '403 Forbidden - Your account has been blocked.' },
  ])
  expect((await api.call(api.root, 'GET /users?blocked=true')).json()).toMatchObject([{ state: 'blocked' }])
  expect((await api.call(api.root, `GET /user?sudo=${mary.id}`)).statusCode).toBe(403)
  expect(await change(api, 'unblock', mary)).toEqual([201, true])
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(200)
})

const forbidden = (reason: string) => [403, { message: `403 Forbidden - ${reason}` }]
const LATELY =
  'The user you are trying to deactivate has been active in the past 180 days and cannot be deactivated'

test.each<[string, UserState, unknown]>([
  ['unblock', 'active', [201, null]],
  ['unblock', 'deactivated', forbidden('Deactivated users cannot be unblocked by the API')],
  ['unblock', 'ldap_blocked', forbidden('LDAP blocked users cannot be modified by the API')],
  ['unblock', 'banned', forbidden('Banned users cannot be unblocked by the API')],
  ['block', 'deactivated', [201, true]],
  ['block', 'ldap_blocked', forbidden('LDAP blocked users cannot be modified by the API')],
  ['block', 'banned', forbidden('A banned user must be unbanned to be blocked')],
  ['activate', 'deactivated', [201, true]],
  ['activate', 'active', [201, true]],
  ['activate', 'blocked', forbidden('A blocked user must be unblocked to be activated')],
  ['deactivate', 'active', [201, true]],
  ['deactivate', 'deactivated', [201, true]],
  ['deactivate', 'blocked', forbidden('A blocked user cannot be deactivated by the API')],
  ['ban', 'active', [201, true]],
  ['ban', 'blocked', forbidden('You cannot ban blocked users.')],
  ['unban', 'banned', [201, true]],
  ['unban', 'active', forbidden('You cannot unban active users.')],
  ['approve', 'blocked_pending_approval', [201, { message: 'Success' }]],
  ['approve', 'active', [409, { message: 'The user you are trying to approve is not pending approval' }]],
])('%s for a user who is %s', async (verb, state, body) => {
  const { api, mary } = await withMary(state)
  expect(await change(api, verb, mary)).toEqual(body)
})

test('recently active users and the caller cannot be deactivated', async () => {
  const { api, mary } = await withMary()
  const changes = { last_activity_at: Date.now() - 1000 }
  await api.database.updateTable('user_profile').set(changes).where('user_id', '=', mary.id).execute()
  expect(await change(api, 'deactivate', mary)).toEqual(forbidden(LATELY))
  expect(await change(api, 'deactivate', api.root)).toEqual(forbidden(LATELY))
  expect(await change(api, 'block', api.root)).toEqual(
    forbidden('The API initiating user cannot be blocked by the API'),
  )
  expect((await change(api, 'ban', api.root))[0]).toBe(403)
})

test('only administrators change the state of users, and of those that there are', async () => {
  const { api, mary } = await withMary()
  for (const verb of ['block', 'unblock', 'activate', 'deactivate', 'ban', 'unban', 'approve']) {
    expect((await api.call(mary, `POST /users/${api.root.id}/${verb}`)).statusCode).toBe(403)
    expect(await change(api, verb, { id: 999 })).toEqual([404, { message: '404 User Not Found' }])
  }
  const twoFactor = await api.call(api.root, `PATCH /users/${mary.id}/disable_two_factor`)
  expect(twoFactor.json()).toEqual({
    message: '400 Bad request - Two-factor authentication is not enabled for this user',
  })
})
