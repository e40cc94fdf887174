import { scryptSync } from 'node:crypto'

import type { LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import { dynamicRegistrationRoutes } from '../../../../src/coordinator/accounts/applications/register-itself.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import { insertAuditEvent } from '../../../../src/coordinator/accounts/audit-events/store.js'
import { insertGrant } from '../../../../src/coordinator/accounts/oauth-grant-store.js'
import { authorizeRoutes } from '../../../../src/coordinator/accounts/oauth/authorize/authorize-routes.js'
import { deviceRoutes } from '../../../../src/coordinator/accounts/oauth/device/device-routes.js'
import { newSecret, type TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { discoveryRoutes } from '../../../../src/coordinator/accounts/oauth/openid/discovery.js'
import { oauthTokenRoutes } from '../../../../src/coordinator/accounts/oauth/token-routes.js'
import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { TokenSigner } from '../../../../src/coordinator/crypto/token-signer.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { failedLoginOf } from '../../../../src/coordinator/http/audit.js'
import { Authenticator } from '../../../../src/coordinator/http/authentication/authenticator.js'
import type { LoginGuard } from '../../../../src/coordinator/http/authentication/login-guard.js'
import { createSessionReader } from '../../../../src/coordinator/http/authentication/read-session.js'
import { operation } from '../../../../src/coordinator/http/operation.js'
import { UploadSpool } from '../../../../src/coordinator/http/parameters/upload-spool.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../../src/coordinator/http/rate-limits/rate-limits.js'
import { endSessionRoutes } from '../../../../src/coordinator/sessions/end-session-routes.js'
import { tokenDigest } from '../../../../src/lib/tokens.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { tempDir } from '../../../support/temp-dir.js'
import {
  addPerson,
  EXTERNAL_URL,
  openApp,
  type Person,
  type TestApp,
  testSecrets,
} from '../../support/test-app.js'

export const PASSWORD = 'correct horse battery'
/** Of `PASSWORD`. To check it takes a thousandth of the usual work: each hash contains its parameters. */
const HASH = [
  'scrypt',
  32,
  8,
  1,
  'c2FsdA',
  scryptSync(PASSWORD, 'salt', 32, { N: 32 }).toString('base64url'),
].join('$')

export const BACK = 'https://desk.example/back'

/** RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export interface OauthApp extends TestApp {
  database: Database
  root: Person
  mary: { id: number; username: string }
  /** Keeps its secret. */
  desk: NewApplication
  /** Cannot keep one. */
  phone: NewApplication
  post: (path: string, form: Form, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** A call as the application, with its credentials. */
  asClient: (client: NewApplication, form: Form) => Promise<LightMyRequestResponse>
  get: (path: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** A code that `mary` has given, as the page gives it. */
  code: (client: NewApplication, more?: GivenCode) => Promise<string>
  tokens: (form?: Form) => Promise<TokenResponse>
}

export type Form = Record<string, string>

interface GivenCode {
  code_challenge?: string | null
  redirect_uri?: string | null
  scopes?: string[]
  expiresIn?: number
}

/** The OAuth end points over a real store, with a user and two applications that may have `api` and `read_user`. */
export async function openOauthApp(
  open: OpenDatabase = openSqlite,
  { failedAuthentications = 0 } = {},
): Promise<OauthApp> {
  const { database } = await open()
  const testApp = await serveOauth(database, failedAuthentications)
  const { app } = testApp
  const root = await addPerson(database, 'root', { admin: true })
  const mary = await createUser(database, {
    username: 'mary',
    name: 'Mary',
    email: 'mary@example.com',
  })
  await database
    .insertInto('user_password')
    .values({ user_id: mary.id, hash: HASH, changed_at: Date.now() })
    .execute()
  const application = (name: string, confidential: boolean) =>
    createApplication(database, { name, redirect_uri: BACK, scopes: ['api', 'read_user'], confidential })
  const desk = await application('Desk', true)
  const phone = await application('Phone', false)

  const post: OauthApp['post'] = (path, form, headers) => postForm(testApp, path, form, headers)
  const asClient: OauthApp['asClient'] = (client, form) => post('/oauth/token', { ...shown(client), ...form })
  return Object.assign(testApp, {
    database,
    root,
    mary,
    desk,
    phone,
    post,
    asClient,
    get: (path: string, headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url: path, headers }),
    code: async ({ id }: NewApplication, more: GivenCode = {}) => {
      const code = newSecret()
      const { code_challenge = null, redirect_uri = BACK, scopes = ['api'], expiresIn = 600_000 } = more
      await insertGrant(database, {
        application_id: id,
        user_id: mary.id,
        scopes: JSON.stringify(scopes),
        created_at: Date.now(),
        code_digest: tokenDigest(code),
        code_expires_at: Date.now() + expiresIn,
        code_challenge,
        redirect_uri,
      })
      return code
    },
    tokens: async (form: Form = {}) => {
      const login = { grant_type: 'password', username: 'mary', password: PASSWORD }
      return (await asClient(desk, { ...login, ...form })).json<TokenResponse>()
    },
  })
}

/** The end points alone, of one more coordinator if there is one on the store. */
export async function serveOauth(database: Database, failedAuthentications = 0): Promise<TestApp> {
  const authenticator = new Authenticator(database)
  const rateLimits = new RateLimits({ ...DEFAULT_RATE_LIMITS, failedAuthentications })
  const guardOf = (address: string): LoginGuard => ({
    check: () => rateLimits.checkFailures(address),
    failed: () => rateLimits.recordFailure(address),
    refused: (user) => insertAuditEvent(database, failedLoginOf(user, address)),
    accepted: () => undefined,
  })
  const spool = new UploadSpool(await tempDir())
  const signer = new TokenSigner({ database, secrets: testSecrets(), externalUrl: EXTERNAL_URL })
  const storeAuditEvent = insertAuditEvent
  const readSession = createSessionReader({ authenticator, externalUrl: EXTERNAL_URL })
  const secrets = testSecrets()
  const shared = { database, authenticator, rateLimits, guardOf, spool, secrets }
  const deps = { ...shared, signer, readSession, storeAuditEvent }
  const sessions = { ...deps, externalUrl: EXTERNAL_URL }
  const plugins = [
    ...[oauthTokenRoutes(deps), authorizeRoutes(deps), deviceRoutes(deps), discoveryRoutes(signer)],
    ...[dynamicRegistrationRoutes(deps), endSessionRoutes(sessions)],
  ]
  return openApp(database, operations(), { plugins })
}

export function postForm(
  { app }: TestApp,
  path: string,
  form: Form,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** What a client shows in the body. */
export function shown({ application_id, secret, confidential }: NewApplication): Form {
  return { client_id: application_id, ...(confidential && { client_secret: secret }) }
}

export function bearer({ access_token }: TokenResponse): Form {
  return { authorization: `Bearer ${access_token}` }
}

/** Who is calling, for those who may read it, and something that takes `api`. */
function operations() {
  const responses = { 200: Type.Object({ username: Type.String() }) }
  return [
    operation('GET /user', {
      summary: 'Who is calling',
      access: 'user',
      scopes: ['read_user'],
      responses,
      run: async ({ user }) => ({ username: user.username }),
    }),
    operation('PUT /user', {
      summary: 'Change something',
      access: 'user',
      responses,
      run: async ({ user }) => ({ username: user.username }),
    }),
  ]
}
