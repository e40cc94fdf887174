import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { addProject, openPeopleApi as buildPeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

test('users see all of their own fields; administrators also see is_admin', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const own = (await api.call(mary, 'GET /user')).json<object>()
  expect(own).toMatchObject({
    id: mary.id,
    username: 'mary',
    name: 'mary',
    email: 'mary@example.com',
    state: 'active',
    web_url: `${EXTERNAL_URL}/mary`,
  })
  expect(own).not.toHaveProperty('is_admin')
  expect((await api.call(api.root, 'GET /user')).json()).toMatchObject({ is_admin: true })
})

test('users see the profile of other users, administrators all fields', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const seen = (await api.call(mary, `GET /users/${api.root.id}`)).json<object>()
  expect(seen).toMatchObject({ username: 'root', bio: null, followers: 0, is_followed: false })
  expect(seen).not.toHaveProperty('email')
  expect(seen).not.toHaveProperty('note')
  expect((await api.call(api.root, `GET /users/${mary.id}`)).json()).toMatchObject({
    email: 'mary@example.com',
    highest_role: 0,
    created_by: null,
  })
  expect((await api.call(mary, 'GET /users/999')).json()).toEqual({ message: '404 User Not Found' })
  expect((await api.call(undefined, `GET /users/${mary.id}`)).json()).toEqual({
    message: '403 Forbidden - Not authorized!',
  })
})

test('the only administrator stays one, and stays', async () => {
  const api = await openPeopleApi()
  const ask = async (route: string, body?: object) => {
    const response = await api.call(api.root, route, body)
    return [response.statusCode, response.body === '' ? '' : response.json<unknown>()]
  }
  const one = `/users/${api.root.id}`
  const removed = { message: 'User cannot be removed while is the only administrator' }
  expect(await ask(`DELETE ${one}`)).toEqual([409, removed])
  const demoted = { message: { admin: ['cannot be taken from the only administrator'] } }
  expect(await ask(`PUT ${one}`, { admin: false })).toEqual([400, demoted])
  const other = await addPerson(api.database, 'other', { admin: true })
  await api.call(api.root, `POST /users/${other.id}/block`)
  expect(await ask(`DELETE ${one}`)).toEqual([409, removed])
  await api.call(api.root, `POST /users/${other.id}/unblock`)
  expect(await ask(`PUT ${one}`, { admin: false })).toMatchObject([200, { id: api.root.id }])
})

test('a list shows public fields to users and all fields to administrators', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const [first] = (await api.call(mary, 'GET /users')).json<object[]>()
  expect(Object.keys(first ?? {}).sort()).toEqual(
    ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'].sort(),
  )
  expect((await api.call(api.root, 'GET /users')).json()).toMatchObject([
    { username: 'mary', email: 'mary@example.com' },
    { username: 'root', is_admin: true },
  ])
})

test('a private profile shows only the name to others', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  await api.call(api.root, `PUT /users/${mary.id}`, { private_profile: true, location: 'Paris' })
  expect((await api.call(paul, `GET /users/${mary.id}`)).json()).not.toHaveProperty('location')
  expect((await api.call(mary, `GET /users/${mary.id}`)).json()).toMatchObject({ location: 'Paris' })
})

test('users are searched and filtered', async () => {
  const api = await openPeopleApi()
  for (const name of ['mary', 'martin', 'paul']) await addPerson(api.database, name)
  const names = async (query: string): Promise<string[]> =>
    (await api.call(api.root, `GET /users?${query}`))
      .json<{ username: string }[]>()
      .map(({ username }) => username)
  expect(await names('order_by=username&sort=asc')).toEqual(['martin', 'mary', 'paul', 'root'])
  expect(await names('search=mar')).toEqual(['martin', 'mary'])
  expect(await names('search=paul@example.com')).toEqual(['paul'])
  expect(await names('username=MARY')).toEqual(['mary'])
  expect(await names('blocked=true')).toEqual([])
  expect(await names('active=true&without_projects=true&humans=true')).toHaveLength(4)
  expect(await names('admins=true')).toEqual(['root'])
  const pending = { state: 'blocked_pending_approval' } as const
  await api.database.updateTable('user').set(pending).where('username', '=', 'paul').execute()
  expect(await names('state=blocked_pending_approval')).toEqual(['paul'])
  expect(await names('state=banned')).toEqual([])
  expect((await api.call(undefined, 'GET /users?username=mary')).statusCode).toBe(200)
  expect((await api.call(undefined, 'GET /users')).json()).toEqual({
    message: '403 Forbidden - Not authorized to access /api/v4/users',
  })
})

test('administrators see users by their last change, filters included', async () => {
  const api = await openPeopleApi()
  const [mary, martin, paul] = [
    await addPerson(api.database, 'mary'),
    await addPerson(api.database, 'martin'),
    await addPerson(api.database, 'paul'),
  ]
  for (const [changed, { id }] of [paul, api.root, martin, mary].entries()) {
    const profile = api.database.updateTable('user_profile').where('user_id', '=', id)
    await profile.set({ updated_at: changed }).execute()
  }
  const names = async (query: string) => {
    const { headers, ...response } = await api.call(api.root, `GET /users?order_by=updated_at&${query}`)
    const users: { username: string }[] = response.json()
    return { names: users.map(({ username }) => username), total: headers['x-total'] }
  }
  expect(await names('')).toEqual({ names: ['mary', 'martin', 'root', 'paul'], total: '4' })
  expect(await names('sort=asc&per_page=2&page=2')).toEqual({ names: ['martin', 'mary'], total: '4' })
  expect(await names('search=mar&sort=asc')).toEqual({ names: ['martin', 'mary'], total: '2' })
})

test('every signed-in user can list all users with keyset pagination', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await addPerson(api.database, 'paul')
  for (const person of [api.root, mary]) {
    const first = await api.call(person, 'GET /users?pagination=keyset&per_page=2&humans=true')
    expect(first.json()).toMatchObject([{ username: 'paul' }, { username: 'mary' }])
    expect(first.headers).not.toHaveProperty('x-total')
    const next = String(first.headers['link'])
    expect(next).toContain('humans=true')
    expect(next).toContain(`id_before=${mary.id}>; rel="next"`)
    const rest = await api.call(person, `GET /users?pagination=keyset&per_page=2&id_before=${mary.id}`)
    expect(rest.json()).toMatchObject([{ username: 'root' }])
    expect(rest.headers).not.toHaveProperty('link')
  }
  expect((await api.call(mary, 'GET /users?pagination=keyset&order_by=email')).statusCode).toBe(405)
})

test('an administrator creates a user with a namespace and a token', async () => {
  const api = await openPeopleApi()
  const params = { username: 'mary', name: 'Mary', email: 'mary@example.com', force_random_password: true }
  const user = await api.call(api.root, 'POST /users', params)
  expect(user.statusCode).toBe(201)
  expect(user.json()).toMatchObject({ username: 'mary', email: 'mary@example.com', is_admin: false })
  const { id } = user.json<{ id: number }>()
  const path = `POST /users/${id}/personal_access_tokens`
  const token = await api.call(api.root, path, { name: 'ci', scopes: ['api'], expires_at: '2999-01-31' })
  expect(token.statusCode).toBe(201)
  expect(token.json()).toMatchObject({
    name: 'ci',
    scopes: ['api'],
    user_id: id,
    active: true,
    revoked: false,
    expires_at: '2999-01-31',
    token: expect.stringMatching(/^glpat-/) as string,
  })
  const headers = { 'private-token': token.json<{ token: string }>().token }
  const namespaces = await api.app.inject({ url: '/api/v4/namespaces', headers })
  expect(namespaces.json()).toMatchObject([{ full_path: 'mary', kind: 'user' }])
})

/** For tests of single requests that are refused. */
const unchanged = openForFile(async () => {
  const api = await buildPeopleApi()
  return { api, mary: await addPerson(api.database, 'mary') }
})

test.each([
  [
    { username: 'root', name: 'x', email: 'x@example.com' },
    409,
    { message: 'Username has already been taken' },
  ],
  [
    { username: 'ROOT', name: 'x', email: 'x@example.com' },
    409,
    { message: 'Username has already been taken' },
  ],
  [{ username: 'x', name: 'x', email: 'Root@example.com' }, 409, { message: 'Email has already been taken' }],
  [{ username: 'x', name: 'x', email: 'nothing' }, 400, { message: { email: ['is invalid'] } }],
  [
    { username: 'api', name: 'x', email: 'x@example.com' },
    400,
    { message: { username: ['is a reserved name'] } },
  ],
  [{ name: 'x' }, 400, { error: 'email is missing, username is missing' }],
])('the user %j is refused', async (params, status, body) => {
  const { api } = unchanged()
  const response = await api.call(api.root, 'POST /users', { force_random_password: true, ...params })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toEqual(body)
})

test('only administrators make users and tokens', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const params = { username: 'x', name: 'x', email: 'x@example.com' }
  expect((await api.call(mary, 'POST /users', params)).statusCode).toBe(403)
  const token = { name: 'x', scopes: ['api'] }
  const path = `POST /users/${mary.id}/personal_access_tokens`
  expect((await api.call(mary, path, token)).statusCode).toBe(403)
})

test('a token needs known scopes', async () => {
  const api = await openPeopleApi()
  const path = `POST /users/${api.root.id}/personal_access_tokens`
  const unknown = await api.call(api.root, path, { name: 'x', scopes: ['everything'] })
  expect(unknown.json()).toEqual({ error: 'scopes[0] does not have a valid value' })
  expect((await api.call(api.root, path, { name: 'x', scopes: [] })).statusCode).toBe(400)
})

test('people see and revoke their own tokens only', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const own = (await api.call(mary, 'GET /personal_access_tokens')).json<{ id: number }[]>()
  expect(own).toHaveLength(1)
  expect(JSON.stringify(own)).not.toContain(mary.token)
  expect((await api.call(api.root, 'GET /personal_access_tokens')).json()).toHaveLength(2)
  expect((await api.call(mary, `GET /personal_access_tokens?user_id=${api.root.id}`)).statusCode).toBe(401)
  const self = (await api.call(api.root, 'GET /personal_access_tokens/self')).json<{ id: number }>()
  expect((await api.call(mary, `GET /personal_access_tokens/${self.id}`)).statusCode).toBe(404)
  expect((await api.call(mary, `DELETE /personal_access_tokens/${self.id}`)).statusCode).toBe(400)
  expect((await api.call(mary, `DELETE /personal_access_tokens/${own[0]?.id ?? 0}`)).statusCode).toBe(204)
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(401)
})

test('a token is exchanged for a new one', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const { id } = (await api.call(mary, 'GET /personal_access_tokens/self')).json<{ id: number }>()
  const rotated = (await api.call(mary, `POST /personal_access_tokens/${id}/rotate`, {})).json<{
    token: string
    expires_at: string
  }>()
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(401)
  expect((await api.call({ ...mary, token: rotated.token }, 'GET /user')).statusCode).toBe(200)
  const { expires_at } = await api.database
    .selectFrom('personal_access_token')
    .select('expires_at')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  // Of no use from the beginning of the day that its record names.
  expect(new Date(expires_at ?? 0).toISOString()).toBe(`${rotated.expires_at}T00:00:00.000Z`)
})

test('the version is shown to signed-in users', async () => {
  const api = await openPeopleApi()
  for (const route of ['GET /version', 'GET /metadata']) {
    expect((await api.call(undefined, route)).statusCode).toBe(401)
    expect((await api.call(api.root, route)).json()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      enterprise: false,
    })
  }
})

const settings = {
  skype: 'mary.s',
  linkedin: 'mary-l',
  twitter: 'mary_t',
  discord: '1234567890',
  website_url: 'https://mary.example',
  organization: 'Example Ltd',
  job_title: 'Engineer',
  pronouns: 'she/her',
  bio: 'Builds things',
  location: 'Paris',
  projects_limit: 7,
  can_create_group: false,
  external: true,
  private_profile: true,
  note: 'A contractor',
  theme_id: 3,
  color_scheme_id: 2,
  shared_runners_minutes_limit: 100,
  extra_shared_runners_minutes_limit: 5,
}

const account = { username: 'mary', name: 'Mary', email: 'mary@example.com', force_random_password: true }

test('an account is made with every setting, and each is changed and cleared', async () => {
  const api = await openPeopleApi()
  const identity = { provider: 'ldap', extern_uid: 'uid=mary' }
  const params = { ...account, ...settings, ...identity, public_email: 'mary@example.com' }
  const made = await api.call(api.root, 'POST /users', params)
  expect(made.statusCode).toBe(201)
  const record = made.json<{ id: number }>()
  expect(record).toMatchObject({
    ...settings,
    public_email: 'mary@example.com',
    work_information: 'Engineer at Example Ltd',
    identities: [{ ...identity, saml_provider_id: null }],
    can_create_project: true,
    created_by: { username: 'root' },
  })
  const cleared = await api.call(api.root, `PUT /users/${record.id}`, {
    bio: '',
    skype: null,
    public_email: '',
    projects_limit: 0,
    external: false,
    provider: 'ldap',
    extern_uid: '',
    shared_runners_minutes_limit: null,
    admin: true,
  })
  expect(cleared.json()).toMatchObject({
    bio: null,
    skype: null,
    public_email: null,
    projects_limit: 0,
    external: false,
    is_admin: true,
    identities: [],
    can_create_project: false,
    shared_runners_minutes_limit: null,
    twitter: 'mary_t',
  })
})

test('renaming a user moves the personal projects', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'app' })
  const renamed = await api.call(api.root, `PUT /users/${mary.id}`, { username: 'maria', name: 'Maria' })
  expect(renamed.json()).toMatchObject({ username: 'maria', web_url: `${EXTERNAL_URL}/maria` })
  expect((await api.call(mary, 'GET /projects/maria%2Fapp')).json()).toMatchObject({
    id: project.id,
    namespace: { full_path: 'maria', name: 'Maria' },
  })
  expect((await api.call(mary, 'GET /projects/mary%2Fapp')).statusCode).toBe(301)
})

test.each([
  [{ email: 'root@example.com' }, 404, { message: 'Email has already been taken' }],
  [{ username: 'Root' }, 404, { message: 'Username has already been taken' }],
  [{ username: 'a b' }, 400, { message: { username: [expect.stringContaining('can contain only')] } }],
  [{ email: 'x' }, 400, { message: { email: ['is invalid'] } }],
  [{ website_url: 'javascript:alert(1)' }, 400, { message: { website_url: ['is not a valid URL'] } }],
  [{ public_email: 'root@example.com' }, 400, { message: { public_email: ['is not an email you own'] } }],
  [{ password: 'short' }, 400, { message: { password: ['is too short (minimum is 8 characters)'] } }],
  [{ provider: 'ldap' }, 400, { error: 'extern_uid, provider provide all or none of parameters' }],
  [{ projects_limit: 'many' }, 400, { error: 'projects_limit is invalid' }],
])('the change %j is refused', async (params, status, body) => {
  const { api, mary } = unchanged()
  const response = await api.call(api.root, `PUT /users/${mary.id}`, params)
  expect([response.statusCode, response.json()]).toEqual([status, body])
})

test.each([
  [
    {},
    {
      error: expect.stringMatching(/^password, reset_password, force_random_password are missing/) as string,
    },
  ],
  [{ reset_password: false }, { message: { password: ["can't be blank"] } }],
  [{ password: 'x' }, { message: { password: ['is too short (minimum is 8 characters)'] } }],
])('an account with the password %j is refused', async (params, body) => {
  const { api } = unchanged()
  const { force_random_password: _, ...names } = account
  const response = await api.call(api.root, 'POST /users', { ...names, ...params })
  expect([response.statusCode, response.json()]).toEqual([400, body])
})

test('read-only fields of a user cannot be set with other settings', async () => {
  const api = await openPeopleApi()
  const smuggled = {
    id: 77,
    state: 'blocked',
    kind: 'ghost',
    is_admin: true,
    created_at: 1,
    password_hash: 'x',
  }
  const made = (await api.call(api.root, 'POST /users', { ...account, ...smuggled })).json<{ id: number }>()
  expect(made).toMatchObject({ state: 'active', bot: false, is_admin: false })
  expect(made.id).not.toBe(77)
  const edited = await api.call(api.root, `PUT /users/${made.id}`, { ...smuggled, bio: 'x' })
  expect(edited.json()).toMatchObject({ id: made.id, state: 'active', is_admin: false })
  const mary = await addPerson(api.database, 'paul')
  for (const route of [`PUT /users/${mary.id}`, `PUT /users/${made.id}`]) {
    expect((await api.call(mary, route, { admin: true })).statusCode).toBe(403)
  }
})

test('users are found by external identity, but not by a part of their email address', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await addPerson(api.database, 'paul')
  await api.call(api.root, `PUT /users/${mary.id}`, { provider: 'ldap', extern_uid: 'u1', external: true })
  const names = async (query: string): Promise<string[]> =>
    (await api.call(mary, `GET /users?${query}`))
      .json<{ username: string }[]>()
      .map(({ username }) => username)
  expect(await names('extern_uid=u1&provider=ldap')).toEqual(['mary'])
  expect(await names('extern_uid=u1&provider=saml')).toEqual([])
  expect((await api.call(mary, 'GET /users?extern_uid=u1')).statusCode).toBe(400)
  expect(await names('external=true')).toEqual(['mary'])
  expect(await names('exclude_external=true')).toEqual(['paul', 'root'])
  expect(await names('search=example.com')).toEqual([])
  expect(await names('order_by=username&sort=asc')).toEqual(['paul', 'mary', 'root'])
})

test('external users see no internal project', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, api.root, { name: 'open', visibility: 'internal' })
  const seen = async () => (await api.call(mary, 'GET /projects')).json<object[]>().length
  expect(await seen()).toBe(1)
  await api.call(api.root, `PUT /users/${mary.id}`, { external: true })
  expect(await seen()).toBe(0)
  expect((await api.call(mary, `GET /projects/${project.id}`)).statusCode).toBe(404)
})

test('an administrator acts as a user with an impersonation token that the user does not see', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const path = `/users/${mary.id}/impersonation_tokens`
  const made = await api.call(api.root, `POST ${path}`, { name: 'look', scopes: ['api'], user_id: 1 })
  const { id, token } = made.json<{ id: number; token: string }>()
  expect(made.json()).toMatchObject({ impersonation: true, user_id: mary.id, active: true })
  expect((await api.call({ ...mary, token }, 'GET /user')).json()).toMatchObject({ username: 'mary' })
  expect((await api.call(mary, 'GET /personal_access_tokens')).json()).toHaveLength(1)
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(mary, `${method} ${path}/${id}`)).statusCode).toBe(403)
  }
  expect((await api.call(mary, `GET /personal_access_tokens/${id}`)).statusCode).toBe(404)
  expect((await api.call(api.root, `DELETE ${path}/${id}`)).statusCode).toBe(204)
  expect((await api.call({ ...mary, token }, 'GET /user')).statusCode).toBe(401)
  expect((await api.call(api.root, `GET ${path}?state=inactive`)).json()).toMatchObject([
    { id, revoked: true },
  ])
  expect((await api.call(api.root, `GET ${path}?state=active`)).json()).toEqual([])
  const unknown = await api.call(api.root, `GET /users/${api.root.id}/impersonation_tokens/${id}`)
  expect(unknown.json()).toEqual({ message: '404 Impersonation Token Not Found' })
})

test('a token renews itself, once', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary', { scopes: ['self_rotate'] })
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(403)
  const rotated = await api.call(mary, 'POST /personal_access_tokens/self/rotate', {
    expires_at: '2999-01-01',
  })
  expect(rotated.json()).toMatchObject({ scopes: ['self_rotate'], expires_at: '2999-01-01' })
  expect((await api.call(mary, 'POST /personal_access_tokens/self/rotate')).statusCode).toBe(401)
})

test('people make themselves tokens that can do little, and none that is of no use', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const make = (params: object) =>
    api.call(mary, 'POST /user/personal_access_tokens', { name: 'x', ...params })
  expect((await make({ scopes: ['api'] })).json()).toEqual({ error: 'scopes[0] does not have a valid value' })
  expect((await make({ scopes: ['self_rotate'], expires_at: '2000-01-01' })).json()).toEqual({
    message: { expires_at: ["can't be in the past"] },
  })
  expect((await make({ scopes: ['self_rotate'], user_id: api.root.id })).json()).toMatchObject({
    user_id: mary.id,
  })
})

test('tokens are filtered and ordered', async () => {
  const api = await openPeopleApi()
  const path = `POST /users/${api.root.id}/personal_access_tokens`
  await api.call(api.root, path, {
    name: 'b',
    scopes: ['api'],
    expires_at: '2999-01-01',
    description: 'For b',
  })
  await api.call(api.root, path, { name: 'a', scopes: 'read_api,read_user', expires_at: '2998-01-01' })
  const names = async (query: string): Promise<string[]> =>
    (await api.call(api.root, `GET /personal_access_tokens?${query}`))
      .json<{ name: string }[]>()
      .map(({ name }) => name)
  expect(await names('sort=name_asc')).toEqual(['a', 'b', 'test'])
  expect(await names('sort=expires_desc')).toEqual(['b', 'a', 'test'])
  expect(await names('expires_before=2998-06-01')).toEqual(['a'])
  expect(await names('created_after=2999-01-01')).toEqual([])
  expect(await names('last_used_after=2000-01-01')).toEqual([])
})
