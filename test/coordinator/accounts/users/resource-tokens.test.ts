import { expect, test } from 'vitest'

import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { finishUserDeletions } from '../../../../src/coordinator/accounts/users/deletion/delete-user.js'
import { accountDeps } from '../../../../src/coordinator/start/account-deps.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, type Person, testSecrets } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

interface Made {
  id: number
  token: string
  user_id: number
}

const WANTED = { name: 'deploy', scopes: ['api'] }

async function make(api: PeopleApi, as: Person, path: string, params: object = {}): Promise<Made> {
  const response = await api.call(as, `POST ${path}`, { ...WANTED, ...params })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json<Made>()
}

test('a project token acts as a bot with its level, in its project alone', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'app' })
  const other = await addProject(api, mary, { name: 'other', visibility: 'internal' })
  const path = `/projects/${project.id}/access_tokens`
  const made = await make(api, mary, path, { access_level: 20, expires_at: '2999-01-01', description: 'CI' })
  expect(made).toMatchObject({
    access_level: 20,
    expires_at: '2999-01-01',
    description: 'CI',
    scopes: ['api'],
  })
  const bot: Person = { ...mary, token: made.token }
  expect((await api.call(bot, 'GET /user')).json()).toMatchObject({
    id: made.user_id,
    name: 'deploy',
    bot: true,
    can_create_group: false,
    can_create_project: false,
    username: expect.stringMatching(new RegExp(`^project_${project.id}_bot_[0-9a-f]{32}$`)) as string,
  })
  expect((await api.call(bot, `GET /projects/${project.id}`)).statusCode).toBe(200)
  expect((await api.call(bot, `PUT /projects/${project.id}`, { description: 'x' })).statusCode).toBe(403)
  expect((await api.call(bot, `GET /projects/${other.id}`)).statusCode).toBe(404)
  const people = await api.call(mary, 'GET /users?humans=true')
  expect(people.json<{ id: number }[]>().map(({ id }) => id)).not.toContain(made.user_id)
})

test('project tokens are listed, rotated and revoked only by maintainers', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  const project = await addProject(api, mary, { name: 'app' })
  const path = `/projects/${project.id}/access_tokens`
  const made = await make(api, mary, path)
  expect((await api.call(mary, `GET ${path}`)).json()).toMatchObject([{ id: made.id, access_level: 40 }])
  expect((await api.call(mary, `GET ${path}`)).body).not.toContain(made.token)
  await addMember(api, mary, project.id, paul, 30)
  for (const route of [`GET ${path}`, `GET ${path}/${made.id}`, `DELETE ${path}/${made.id}`]) {
    expect((await api.call(paul, route)).statusCode).toBe(403)
  }
  const own = (await api.call(mary, 'GET /personal_access_tokens/self')).json<{ id: number }>()
  expect((await api.call(mary, `GET ${path}/${own.id}`)).statusCode).toBe(404)
  const foreign = await addProject(api, paul, { name: 'other' })
  const foreignPath = `/projects/${foreign.id}/access_tokens/${made.id}`
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(paul, `${method} ${foreignPath}`)).statusCode).toBe(404)
  }
  const rotated = await api.call(mary, `POST ${path}/${made.id}/rotate`)
  const { id, token } = rotated.json<Made>()
  expect(rotated.json()).toMatchObject({ user_id: made.user_id, access_level: 40, active: true })
  expect((await api.call({ ...mary, token: made.token }, 'GET /user')).statusCode).toBe(401)
  expect((await api.call({ ...mary, token }, 'GET /user')).statusCode).toBe(200)
  expect((await api.call(mary, `DELETE ${path}/${id}`)).statusCode).toBe(204)
  expect((await api.call(mary, `DELETE ${path}/${id}`)).statusCode).toBe(400)
  expect((await api.call({ ...mary, token }, 'GET /user')).statusCode).toBe(401)
  expect((await api.call(mary, `GET ${path}?state=active`)).json()).toEqual([])
  const members = (await api.call(mary, `GET /projects/${project.id}/members`)).json<object[]>()
  expect(members).toHaveLength(2)
})

test('a token cannot exceed the role of its creator, and bots cannot create tokens', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  const project = await addProject(api, mary, { name: 'app' })
  await addMember(api, mary, project.id, paul, 40)
  const path = `/projects/${project.id}/access_tokens`
  const refused = async (as: Person, params: object) => {
    const response = await api.call(as, `POST ${path}`, { ...WANTED, ...params })
    return [response.statusCode, response.json<unknown>()]
  }
  expect((await refused(paul, { access_level: 50 }))[0]).toBe(400)
  expect(await refused(paul, { access_level: 35 })).toEqual([
    400,
    { error: 'access_level does not have a valid value' },
  ])
  expect((await refused(paul, { scopes: ['sudo'] }))[0]).toBe(400)
  expect((await refused(paul, { scopes: [] }))[0]).toBe(400)
  const { token } = await make(api, paul, path, { user_id: mary.id, is_admin: true })
  expect((await refused({ ...paul, token }, {}))[0]).toBe(403)
})

testAtNight('bots go with their project or group', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'app' })
  const group = await createGroup(
    { database: api.database, secrets: testSecrets() },
    { name: 'g', path: 'g' },
    mary,
  )
  const tokens = [
    await make(api, mary, `/projects/${project.id}/access_tokens`),
    await make(api, mary, `/groups/${group.id}/access_tokens`),
  ]
  const inGroup: Person = { ...mary, token: tokens[1]?.token ?? '' }
  expect((await api.call(inGroup, 'GET /groups/g')).statusCode).toBe(200)
  expect((await api.call(inGroup, 'GET /user')).json<{ username: string }>().username).toMatch(
    new RegExp(`^group_${group.id}_bot_`),
  )
  await api.call(mary, `DELETE /projects/${project.id}`)
  await api.database.deleteFrom('namespace').where('id', '=', group.id).execute()
  await finishUserDeletions(accountDeps(api.services))
  for (const { token, user_id } of tokens) {
    expect((await api.call({ ...mary, token }, 'GET /user')).statusCode).toBe(401)
    expect((await api.call(mary, `GET /users/${user_id}`)).statusCode).toBe(404)
  }
})

test('a user cannot rotate a token with a higher role than their own', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const max = await addPerson(api.database, 'max')
  const project = await addProject(api, mary, { name: 'app' })
  await addMember(api, mary, project.id, max, 40)
  const path = `/projects/${project.id}/access_tokens`
  const owners = await make(api, mary, path, { access_level: 50 })
  const refused = await api.call(max, `POST ${path}/${owners.id}/rotate`)
  expect(refused.statusCode).toBe(403)
  expect((await api.call({ ...mary, token: owners.token }, 'GET /user')).statusCode).toBe(200)
  const own = await make(api, max, path, { access_level: 40 })
  expect((await api.call(max, `POST ${path}/${own.id}/rotate`)).json()).toMatchObject({ access_level: 40 })
})

test('a project token shows, rotates and revokes itself', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'app' })
  const made = await make(api, mary, `/projects/${project.id}/access_tokens`, { access_level: 30 })
  const bot = { ...mary, token: made.token }
  expect((await api.call(bot, 'GET /personal_access_tokens/self')).json()).toMatchObject({ id: made.id })
  const rotated = await api.call(bot, 'POST /personal_access_tokens/self/rotate')
  const next = { ...mary, token: rotated.json<Made>().token }
  expect((await api.call(bot, 'GET /user')).statusCode).toBe(401)
  expect((await api.call(next, `GET /projects/${project.id}`)).statusCode).toBe(200)
  expect((await api.call(next, 'DELETE /personal_access_tokens/self')).statusCode).toBe(204)
  expect((await api.call(next, 'GET /user')).statusCode).toBe(401)
})

test('an administrator deletes an external identity of a user', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await api.call(api.root, `PUT /users/${mary.id}`, { provider: 'ldap', extern_uid: 'uid=mary' })
  const path = `/users/${mary.id}/identities`
  expect((await api.call(mary, `DELETE ${path}/ldap`)).statusCode).toBe(403)
  expect((await api.call(api.root, `DELETE ${path}/ldap`)).statusCode).toBe(204)
  expect((await api.call(api.root, `GET /users/${mary.id}`)).json()).toMatchObject({ identities: [] })
  expect((await api.call(api.root, `DELETE ${path}/ldap`)).json()).toEqual({
    message: '404 Identity Not Found',
  })
  expect((await api.call(api.root, 'DELETE /users/4711/identities/ldap')).statusCode).toBe(404)
})
