import { expect, test } from 'vitest'

import { openPeopleApi } from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL } from '../../support/test-app.js'

test('everybody sees all of themselves, administrators also that they are', async () => {
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

test('of others people see the profile, administrators everything', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const seen = (await api.call(mary, `GET /users/${api.root.id}`)).json<object>()
  expect(seen).toMatchObject({ username: 'root', bio: null })
  expect(seen).not.toHaveProperty('email')
  expect((await api.call(api.root, `GET /users/${mary.id}`)).json()).toMatchObject({
    email: 'mary@example.com',
  })
  expect((await api.call(mary, 'GET /users/999')).json()).toEqual({ message: '404 User Not Found' })
  expect((await api.call(undefined, `GET /users/${mary.id}`)).statusCode).toBe(403)
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
  expect(await names('admins=true')).toEqual(['root'])
  expect((await api.call(undefined, 'GET /users?username=mary')).statusCode).toBe(200)
  expect((await api.call(undefined, 'GET /users')).json()).toEqual({
    message: '403 Forbidden - Not authorized to access /api/v4/users',
  })
})

test('an administrator makes a user, who has a namespace and may use a token', async () => {
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
  const api = await openPeopleApi()
  const response = await api.call(api.root, 'POST /users', params)
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
  expect((await api.call(mary, `DELETE /personal_access_tokens/${self.id}`)).statusCode).toBe(404)
  expect((await api.call(mary, `DELETE /personal_access_tokens/${own[0]?.id ?? 0}`)).statusCode).toBe(204)
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(401)
})

test('a token is exchanged for a new one', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const { id } = (await api.call(mary, 'GET /personal_access_tokens/self')).json<{ id: number }>()
  const rotated = (await api.call(mary, `POST /personal_access_tokens/${id}/rotate`, {})).json<{
    token: string
  }>()
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(401)
  expect((await api.call({ ...mary, token: rotated.token }, 'GET /user')).statusCode).toBe(200)
})

test('the version is told to users', async () => {
  const api = await openPeopleApi()
  for (const route of ['GET /version', 'GET /metadata']) {
    expect((await api.call(undefined, route)).statusCode).toBe(401)
    expect((await api.call(api.root, route)).json()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      enterprise: false,
    })
  }
})
