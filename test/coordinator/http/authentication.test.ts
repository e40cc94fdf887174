import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { authenticateGit, mayPush } from '../../../src/coordinator/http/authentication/git-credentials.js'
import { operation } from '../../../src/coordinator/http/operation.js'
import { openSqlite } from '../../support/databases.js'
import { addPerson, openApp } from '../support/test-app.js'

const Name = Type.Object({ username: Type.String() })

const operations = [
  operation('GET /open', {
    summary: 'For everyone',
    access: 'anyone',
    responses: { 200: Type.Object({ kind: Type.String() }) },
    run: async ({ caller }) => ({ kind: caller.kind }),
  }),
  operation('GET /me', {
    summary: 'For users',
    access: 'user',
    scopes: ['read_user'],
    responses: { 200: Name },
    run: async ({ user }) => ({ username: user.username }),
  }),
  operation('POST /me', {
    summary: 'A change',
    access: 'user',
    responses: { 201: Name },
    run: async ({ user }) => ({ username: user.username }),
  }),
  operation('GET /admin', {
    summary: 'For administrators',
    access: 'administrator',
    responses: { 200: Name },
    run: async ({ user }) => ({ username: user.username }),
  }),
]

async function open() {
  const { database } = await openSqlite()
  return Object.assign(openApp(database, operations), { database })
}

test('a token that is unknown is 401, also where no token is needed', async () => {
  const { app } = await open()
  for (const url of ['/api/v4/open', '/api/v4/me']) {
    const response = await app.inject({ url, headers: { 'private-token': 'glpat-unknown' } })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({ message: '401 Unauthorized' })
  }
})

test('no token is 401 where a user is needed', async () => {
  const { app } = await open()
  expect((await app.inject('/api/v4/me')).statusCode).toBe(401)
  expect((await app.inject('/api/v4/open')).json()).toEqual({ kind: 'anonymous' })
})

test('a token that has expired or was revoked says so', async () => {
  const api = await open()
  const late = await addPerson(api.database, 'late', { expires_at: Date.now() - 1 })
  const expired = await api.call(late, 'GET /me')
  expect(expired.statusCode).toBe(401)
  expect(expired.json()).toMatchObject({ error: 'invalid_token', error_description: /expired/ })
  expect(expired.headers['www-authenticate']).toContain('error="invalid_token"')

  const gone = await addPerson(api.database, 'gone')
  await api.database.updateTable('personal_access_token').set({ revoked: true }).execute()
  expect((await api.call(gone, 'GET /me')).json()).toMatchObject({ error_description: /revoked/ })
})

test('a blocked account is 403', async () => {
  const api = await open()
  const mary = await addPerson(api.database, 'mary')
  await api.database.updateTable('user').set({ state: 'blocked' }).execute()
  const response = await api.call(mary, 'GET /me')
  expect(response.statusCode).toBe(403)
  expect(response.json()).toEqual({ message: '403 Forbidden - Your account has been blocked.' })
})

test('administrator operations require an administrator', async () => {
  const api = await open()
  const mary = await addPerson(api.database, 'mary')
  const root = await addPerson(api.database, 'root', { admin: true })
  expect((await api.call(mary, 'GET /admin')).statusCode).toBe(403)
  expect((await api.call(root, 'GET /admin')).statusCode).toBe(200)
})

describe('scopes', () => {
  test.each([
    [['api'], 'GET /me', 200],
    [['api'], 'POST /me', 201],
    [['read_api'], 'GET /me', 200],
    [['read_api'], 'POST /me', 403],
    [['read_user'], 'GET /me', 200],
    [['read_user'], 'GET /open', 403],
    [['write_repository'], 'GET /me', 403],
  ])('%j: %s returns %i', async (scopes, route, status) => {
    const api = await open()
    const person = await addPerson(api.database, 'mary', { scopes })
    expect((await api.call(person, route)).statusCode).toBe(status)
  })

  test('the error names the sufficient scopes', async () => {
    const api = await open()
    const person = await addPerson(api.database, 'mary', { scopes: ['read_repository'] })
    expect((await api.call(person, 'GET /me')).json()).toMatchObject({
      error: 'insufficient_scope',
      scope: 'api read_api read_user',
    })
  })
})

describe('sudo', () => {
  async function openWithPeople() {
    const api = await open()
    const root = await addPerson(api.database, 'root', { admin: true, scopes: ['api', 'sudo'] })
    const mary = await addPerson(api.database, 'mary')
    return { app: api.app, root, mary }
  }

  test('an administrator acts as someone else, by name or id, in header or parameter', async () => {
    const { app, root, mary } = await openWithPeople()
    const token = { 'private-token': root.token }
    const requests = [
      { url: '/api/v4/me', headers: { ...token, sudo: 'mary' } },
      { url: `/api/v4/me?sudo=${mary.id}`, headers: token },
    ]
    for (const request of requests) expect((await app.inject(request)).json()).toEqual({ username: 'mary' })
  })

  test('sudo requires the sudo scope and refuses blocked users', async () => {
    const api = await open()
    const root = await addPerson(api.database, 'root', { admin: true })
    const poor = await api.app.inject({
      url: '/api/v4/me?sudo=root',
      headers: { 'private-token': root.token },
    })
    expect(poor.statusCode).toBe(403)
    expect(poor.json()).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })

    const mighty = await addPerson(api.database, 'mighty', { admin: true, scopes: ['api', 'sudo'] })
    const mary = await addPerson(api.database, 'mary')
    const headers = { 'private-token': mighty.token, sudo: 'mary' }
    expect((await api.app.inject({ url: '/api/v4/admin', headers })).statusCode).toBe(403)
    await api.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', mary.id).execute()
    const blocked = await api.app.inject({ url: '/api/v4/me', headers })
    expect(blocked.statusCode).toBe(403)
    expect(blocked.json()).toEqual({ message: '403 Forbidden - Your account has been blocked.' })
    expect((await api.app.inject({ url: '/api/v4/open?sudo=mary' })).statusCode).toBe(401)
  })

  test('the name also comes in a body of any kind, and an empty one is none', async () => {
    const { app, root } = await openWithPeople()
    const post = (payload: string, type: string) =>
      app.inject({
        method: 'POST',
        url: '/api/v4/me',
        headers: { 'private-token': root.token, 'content-type': type },
        payload,
      })
    expect((await post('{"sudo":"mary"}', 'application/json')).json()).toEqual({ username: 'mary' })
    expect((await post('sudo=mary', 'application/x-www-form-urlencoded')).json()).toEqual({
      username: 'mary',
    })
    expect((await post('{"sudo":""}', 'application/json')).json()).toEqual({ username: 'root' })
  })

  test('sudo requires an administrator and an existing user', async () => {
    const { app, root, mary } = await openWithPeople()
    const asMary = await app.inject({ url: '/api/v4/me?sudo=root', headers: { 'private-token': mary.token } })
    expect(asMary.statusCode).toBe(403)
    expect(asMary.json()).toEqual({ message: '403 Forbidden - Must be admin to use sudo' })
    const nobody = await app.inject({ url: '/api/v4/me?sudo=x', headers: { 'private-token': root.token } })
    expect(nobody.statusCode).toBe(404)
    expect(nobody.json()).toEqual({ message: "404 User with ID or username 'x' Not Found" })
  })
})

describe('job tokens', () => {
  test('where they are not accepted, an unknown one is 401', async () => {
    const { app } = await open()
    const response = await app.inject({ url: '/api/v4/me', headers: { 'job-token': 'glcbt-x' } })
    expect(response.statusCode).toBe(401)
  })

  test('public operations check credentials themselves', async () => {
    const { app } = await open()
    for (const headers of [{ 'job-token': 'glcbt-x' }, { 'private-token': 'glcbt-x' }]) {
      const response = await app.inject({ url: '/api/v4/open', headers })
      expect(response.json()).toEqual({ kind: 'anonymous' })
    }
  })
})

describe('git', () => {
  const basic = (name: string, password: string): string =>
    `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

  test.each(['oauth2', '', 'mary', 'gitlab-ci-token', 'anything'])(
    'user name "%s" goes with a personal access token',
    async (name) => {
      const { database } = await openSqlite()
      const { token } = await addPerson(database, 'mary')
      const caller = await authenticateGit(new Authenticator(database), basic(name, token))
      expect(caller).toMatchObject({ kind: 'user', user: { username: 'mary' } })
      expect(mayPush(caller)).toBe(true)
    },
  )

  test('a token that only reads repositories may not push', async () => {
    const { database } = await openSqlite()
    const { token } = await addPerson(database, 'mary', { scopes: ['read_repository'] })
    expect(mayPush(await authenticateGit(new Authenticator(database), basic('mary', token)))).toBe(false)
  })

  test.each([
    ['wrong credentials', basic('mary', 'wrong')],
    ['a job token that no running job has', basic('gitlab-ci-token', 'glcbt-x')],
    ['a job token that no running job has, under another name', basic('mary', 'glcbt-x')],
    ['no token at all under the name of jobs', basic('gitlab-ci-token', 'wrong')],
    ['another scheme', 'Digest x'],
    ['no colon', `Basic ${Buffer.from('x').toString('base64')}`],
  ])('%s: 401', async (_, authorization) => {
    const { database } = await openSqlite()
    await expect(authenticateGit(new Authenticator(database), authorization)).rejects.toMatchObject({
      status: 401,
    })
  })

  test('a token without any repository scope is 401', async () => {
    const { database } = await openSqlite()
    const { token } = await addPerson(database, 'mary', { scopes: ['read_user'] })
    const work = authenticateGit(new Authenticator(database), basic('mary', token))
    await expect(work).rejects.toMatchObject({ status: 401 })
  })

  test('no header is an anonymous caller', async () => {
    const { database } = await openSqlite()
    expect(await authenticateGit(new Authenticator(database), undefined)).toEqual({ kind: 'anonymous' })
  })
})
