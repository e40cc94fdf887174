import { expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import { authorizedApplicationOperations } from '../../../../src/coordinator/accounts/applications/authorized-operations.js'
import { applicationOperations } from '../../../../src/coordinator/accounts/applications/operations.js'
import { userApplicationOperations } from '../../../../src/coordinator/accounts/applications/user-operations.js'
import { deleteExpiredGrants } from '../../../../src/coordinator/accounts/oauth/delete-expired.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { createToken } from '../../../../src/coordinator/accounts/users/tokens/tokens.js'
import { Authenticator } from '../../../../src/coordinator/http/authentication/authenticator.js'
import {
  authenticateGit,
  mayPull,
  mayPush,
} from '../../../../src/coordinator/http/authentication/git-credentials.js'
import { TokenUses } from '../../../../src/coordinator/http/authentication/token-uses.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { openApp } from '../../support/test-app.js'
import { BACK, bearer, type Form, type OauthApp, openOauthApp, PASSWORD, shown } from './oauth-app.js'

const HOUR = 3600_000
const DAY = 24 * HOUR

async function status(app: OauthApp, headers: Form, path = '/api/v4/user'): Promise<number> {
  return (await app.get(path, headers)).statusCode
}

describeOnDatabase('An access token', (open) => {
  test('is good for two hours, as a bearer token and as a parameter, and is no personal token', async () => {
    const app = await openOauthApp(open)
    const { access_token } = await app.tokens()
    expect(await status(app, { authorization: `bearer ${access_token}` })).toBe(200)
    expect(await status(app, {}, `/api/v4/user?access_token=${access_token}`)).toBe(200)
    expect(await status(app, { 'private-token': access_token })).toBe(401)
    expect(await status(app, {}, `/api/v4/user?private_token=${access_token}`)).toBe(401)
    const { expires_at } = await app.database
      .selectFrom('oauth_token')
      .select('expires_at')
      .executeTakeFirstOrThrow()
    expect(expires_at % 1000).toBe(0)
    expect(Math.abs(expires_at - Date.now() - 2 * HOUR)).toBeLessThan(60_000)

    await app.database.updateTable('oauth_token').set({ expires_at: Date.now() }).execute()
    const over = await app.get('/api/v4/user', { authorization: `Bearer ${access_token}` })
    expect([over.statusCode, over.json()]).toEqual([
      401,
      {
        error: 'invalid_token',
        error_description: 'Token is expired. You can either do re-authorization or token refresh.',
      },
    ])
  })

  test('updates the last activity of its user', async () => {
    const app = await openOauthApp(open)
    const uses = new TokenUses(app.database, createLogger('test', 'silent'))
    const { access_token } = await app.tokens()
    await new Authenticator(app.database, uses).identify({ kind: 'bearer', token: access_token })
    await uses.write()
    const { last_activity_at } = await app.database
      .selectFrom('user_profile')
      .select('last_activity_at')
      .where('user_id', '=', app.mary.id)
      .executeTakeFirstOrThrow()
    expect(Math.abs(Number(last_activity_at) - Date.now())).toBeLessThan(60_000)
  })

  test('ends when its user revokes the application, as codes do, and those of others stay', async () => {
    const app = await openOauthApp(open)
    const api = openApp(app.database, authorizedApplicationOperations({ database: app.database }))
    const { token } = await createToken(app.database, {
      user_id: app.mary.id,
      name: 'test',
      scopes: ['api'],
      expires_at: null,
    })
    const mary = { ...app.root, ...app.mary, token }
    const listed = async () => (await api.call(mary, 'GET /user/authorized_applications')).json<unknown[]>()
    const pending = await app.code(app.desk)
    // A code alone has not been used yet.
    expect(await listed()).toEqual([])
    const first = await app.tokens({ scope: 'read_user' })
    const second = await app.tokens({ scope: 'api' })
    expect(await listed()).toEqual([
      {
        id: app.desk.id,
        application_name: 'Desk',
        scopes: ['api', 'read_user'],
        projects: null,
        authorized_at: expect.any(String) as string,
        token_issued_at: expect.any(String) as string,
      },
    ])
    expect((await api.call(app.root, 'GET /user/authorized_applications')).json()).toEqual([])
    const path = `DELETE /user/authorized_applications/${app.desk.id}`
    expect((await api.call(app.root, path)).statusCode).toBe(404)
    expect(await status(app, bearer(first))).toBe(200)
    expect((await api.call(mary, path)).statusCode).toBe(204)
    expect([await status(app, bearer(first)), await status(app, bearer(second))]).toEqual([401, 401])
    const form = { grant_type: 'authorization_code', code: pending, redirect_uri: BACK }
    expect((await app.asClient(app.desk, form)).json()).toMatchObject({ error: 'invalid_grant' })
    expect(await listed()).toEqual([])
    expect((await api.call(mary, path)).statusCode).toBe(404)
  })

  test('ends when an administrator revokes the application for its user', async () => {
    const app = await openOauthApp(open)
    const api = openApp(app.database, userApplicationOperations({ database: app.database }))
    const headers = bearer(await app.tokens({ scope: 'read_user' }))
    const path = `/users/${app.mary.id}/authorized_applications`
    expect((await api.call(app.root, `GET ${path}`)).json()).toMatchObject([
      { id: app.desk.id, application_name: 'Desk', scopes: ['read_user'] },
    ])
    const ofRoot = `DELETE /users/${app.root.id}/authorized_applications/${app.desk.id}`
    expect((await api.call(app.root, ofRoot)).statusCode).toBe(404)
    expect(await status(app, headers)).toBe(200)
    expect((await api.call(app.root, `DELETE ${path}/${app.desk.id}`)).statusCode).toBe(204)
    expect(await status(app, headers)).toBe(401)
    expect((await api.call(app.root, `GET ${path}`)).json()).toEqual([])
  })

  test('is limited to its scopes', async () => {
    const app = await openOauthApp(open)
    const headers = bearer(await app.tokens({ scope: 'read_user' }))
    expect(await status(app, headers)).toBe(200)
    const refused = await app.app.inject({ method: 'PUT', url: '/api/v4/user', headers })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: 'insufficient_scope' }])
  })

  test('opens git under any user name, as far as its scopes go', async () => {
    const app = await openOauthApp(open)
    const authenticator = new Authenticator(app.database)
    const client = await createApplication(app.database, {
      name: 'Clone',
      redirect_uri: BACK,
      scopes: ['read_repository', 'read_user'],
    })
    const login = { grant_type: 'password', username: 'mary', password: PASSWORD }
    const tokenFor = async (scope: string) =>
      (await app.post('/oauth/token', { ...shown(client), ...login, scope })).json<TokenResponse>()
        .access_token
    const come = (name: string, token: string) =>
      authenticateGit(authenticator, `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`)
    const reading = await tokenFor('read_repository')
    const caller = await come('oauth2', reading)
    expect(caller).toMatchObject({ kind: 'user', user: { username: 'mary' } })
    expect([mayPull(caller), mayPush(caller)]).toEqual([true, false])
    expect(mayPush(await come('oauth2', (await app.tokens()).access_token))).toBe(true)
    for (const name of ['mary', 'gitlab-ci-token', '']) expect(await come(name, reading)).toEqual(caller)
    await expect(come('oauth2', await tokenFor('read_user'))).rejects.toMatchObject({ status: 401 })
    await app.database.updateTable('oauth_token').set({ expires_at: 0 }).execute()
    await expect(come('oauth2', reading)).rejects.toMatchObject({ status: 401 })
  })

  test('needs the sudo scope and an administrator to act as another user', async () => {
    const app = await openOauthApp(open)
    await app.database.updateTable('oauth_application').set({ scopes: '["api","sudo"]' }).execute()
    const as = async (scope: string) =>
      (await app.get('/api/v4/user', { ...bearer(await app.tokens({ scope })), sudo: 'root' })).json<object>()
    expect(await as('api sudo')).toEqual({ message: '403 Forbidden - Must be admin to use sudo' })
    await app.database.updateTable('user').set({ is_admin: true }).where('id', '=', app.mary.id).execute()
    expect(await as('api')).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })
    expect(await as('api sudo')).toEqual({ username: 'root' })
  })

  test('is invalid while its user is blocked, and deleted with the application', async () => {
    const app = await openOauthApp(open)
    const headers = bearer(await app.tokens())
    const set = (state: 'active' | 'blocked') =>
      app.database.updateTable('user').set({ state }).where('id', '=', app.mary.id).execute()
    await set('blocked')
    expect(await status(app, headers)).toBe(403)
    expect(await status(app, headers, '/oauth/token/info')).toBe(403)
    await set('active')
    expect(await status(app, headers)).toBe(200)
    const applications = openApp(app.database, applicationOperations(app))
    expect((await applications.call(app.root, `DELETE /applications/${app.desk.id}`)).statusCode).toBe(204)
    expect(await status(app, headers)).toBe(401)
    expect(await app.database.selectFrom('oauth_token').select('id').execute()).toEqual([])
  })

  test('is deleted when it and its refresh token are both invalid', async () => {
    const app = await openOauthApp(open)
    const left = async () => {
      const tokens = await app.database.selectFrom('oauth_token').select('id').execute()
      const grants = await app.database.selectFrom('oauth_grant').select('id').execute()
      return [tokens.length, grants.length]
    }
    const kept = await app.tokens()
    await app.code(app.desk)
    await app.asClient(app.desk, { grant_type: 'client_credentials' })
    await app.asClient(app.desk, {
      grant_type: 'refresh_token',
      refresh_token: (await app.tokens()).refresh_token ?? '',
    })
    expect(await left()).toEqual([4, 4])
    await deleteExpiredGrants(app.database)
    expect(await left()).toEqual([4, 4])
    expect(await status(app, bearer(kept))).toBe(200)
    await deleteExpiredGrants(app.database, Date.now() + 3 * HOUR)
    expect(await left()).toEqual([3, 2])
    await app.post('/oauth/revoke', { ...shown(app.desk), token: kept.access_token })
    await deleteExpiredGrants(app.database, Date.now() + 3 * HOUR)
    expect(await left()).toEqual([3, 2])
    await deleteExpiredGrants(app.database, Date.now() + 2 * DAY)
    expect(await left()).toEqual([2, 1])
    await deleteExpiredGrants(app.database, Date.now() + 91 * DAY)
    expect(await left()).toEqual([0, 0])
  })

  test('token info: its user, scopes and remaining lifetime', async () => {
    const app = await openOauthApp(open)
    const tokens = await app.tokens({ scope: 'api read_user' })
    const told = await app.get('/oauth/token/info', bearer(tokens))
    expect([told.statusCode, told.json()]).toEqual([
      200,
      {
        resource_owner_id: app.mary.id,
        scope: ['api', 'read_user'],
        created_at: tokens.created_at,
        expires_in: expect.any(Number) as number,
        application: { uid: app.desk.application_id },
      },
    ])
    const { expires_in } = told.json<{ expires_in: number }>()
    expect(expires_in > 7100 && expires_in <= 7200).toBe(true)
    expect(await status(app, {}, `/oauth/token/info?access_token=${tokens.access_token}`)).toBe(200)
    const own = (await app.asClient(app.desk, { grant_type: 'client_credentials' })).json<TokenResponse>()
    expect((await app.get('/oauth/token/info', bearer(own))).json()).toMatchObject({
      resource_owner_id: null,
    })
    expect((await app.get('/oauth/token/info')).headers['www-authenticate']).toContain('invalid_token')

    const refusal = async (headers: Form) => {
      const { statusCode, json } = await app.get('/oauth/token/info', headers)
      return [statusCode, json<object>()]
    }
    const says = (error_description: string) => [401, { error: 'invalid_token', error_description }]
    expect(await refusal({})).toEqual(says('The access token is invalid'))
    expect(await refusal({ authorization: `Bearer ${tokens.refresh_token}` })).toEqual(
      says('The access token is invalid'),
    )
    await app.database.updateTable('oauth_token').set({ expires_at: 0 }).execute()
    expect(await refusal(bearer(tokens))).toEqual(says('The access token expired'))
    await app.post('/oauth/revoke', { ...shown(app.desk), token: tokens.access_token })
    expect(await refusal(bearer(tokens))).toEqual(says('The access token was revoked'))
  })

  test.each(['access_token', 'refresh_token'] as const)('ends with its grant by its %s', async (kind) => {
    const app = await openOauthApp(open)
    const tokens = await app.tokens()
    const end = (form: Form) => app.post('/oauth/revoke', form)
    const token = tokens[kind] ?? ''
    for (const form of [shown(app.phone), {}]) {
      const refused = await end({ ...form, token })
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        {
          error: 'unauthorized_client',
          error_description: 'You are not authorized to revoke this token',
        },
      ])
    }
    const wrong = await end({ ...shown(app.desk), client_secret: 'x', token })
    expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { error: 'invalid_client' }])
    expect(await status(app, bearer(tokens))).toBe(200)
    for (let time = 0; time < 2; time++) {
      const ended = await end({ ...shown(app.desk), token, token_type_hint: 'access_token' })
      expect([ended.statusCode, ended.json()]).toEqual([200, {}])
      expect(await status(app, bearer(tokens))).toBe(401)
    }
    const refreshed = await app.asClient(app.desk, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    })
    expect(refreshed.statusCode).toBe(400)
  })
})

test('an unknown token counts as ended, no token as a mistake, and one without a secret needs no client', async () => {
  const app = await openOauthApp()
  const unknown = await app.post('/oauth/revoke', { ...shown(app.desk), token: 'x' })
  expect([unknown.statusCode, unknown.json()]).toEqual([200, {}])
  const none = await app.post('/oauth/revoke', shown(app.desk))
  expect([none.statusCode, none.json()]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'Missing required parameter: token.' },
  ])
  const login = { grant_type: 'password', username: 'mary', password: PASSWORD }
  const tokens = (await app.asClient(app.phone, login)).json<TokenResponse>()
  expect((await app.post('/oauth/revoke', { token: tokens.access_token })).statusCode).toBe(200)
  expect(await status(app, bearer(tokens))).toBe(401)
})
