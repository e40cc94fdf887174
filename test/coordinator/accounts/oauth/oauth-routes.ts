import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { BACK, CHALLENGE, type OauthApp, shown } from './oauth-app.js'

/** A route that is no operation of the API, with a call that it accepts. */
export interface OauthRoute {
  route: `${'GET' | 'POST'} /oauth/${string}`
  /** How the parameters of a request are sent. */
  encoding: 'query' | 'form' | 'json'
  /** Who calls it: anybody, an application with its secret, somebody with a token, or a signed-in user. */
  for: 'anybody' | 'client' | 'token' | 'user'
  /** Status for those callers, and without their credentials. */
  statuses: [accepted: number, stranger: number]
  /** Of a call that is accepted, without credentials. */
  params: (app: OauthApp) => Record<string, unknown> | Promise<Record<string, unknown>>
}

const asked = ({ desk }: OauthApp) => ({
  client_id: desk.application_id,
  redirect_uri: BACK,
  response_type: 'code',
  scope: 'read_user',
  state: 'a',
  response_mode: 'query',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  max_age: '1000',
  nonce: 'n',
})

/** Tokens for a code. Unlike a password, a wrong one of these keeps no other request of the user out. */
export async function tokensOf(
  { code, asClient }: OauthApp,
  client: NewApplication,
  scopes: string[],
): Promise<TokenResponse> {
  const given = await code(client, { scopes })
  const form = { grant_type: 'authorization_code', code: given, redirect_uri: BACK }
  return (await asClient(client, form)).json<TokenResponse>()
}

async function userCode({ post, desk }: OauthApp): Promise<string> {
  const asked = await post('/oauth/authorize_device', { ...shown(desk), scope: 'read_user' })
  return asked.json<{ user_code: string }>().user_code
}

/** Every route below `/oauth`. */
export const OAUTH_ROUTES: readonly OauthRoute[] = [
  {
    route: 'GET /oauth/authorize',
    encoding: 'query',
    for: 'user',
    statuses: [200, 200],
    params: asked,
  },
  {
    route: 'POST /oauth/authorize',
    encoding: 'form',
    for: 'user',
    statuses: [302, 401],
    params: (app) => ({ ...asked(app), decision: 'allow' }),
  },
  {
    route: 'POST /oauth/token',
    encoding: 'form',
    for: 'client',
    statuses: [200, 401],
    params: async (app) => ({
      grant_type: 'refresh_token',
      refresh_token: (await tokensOf(app, app.desk, ['read_user'])).refresh_token,
      scope: 'read_user',
    }),
  },
  {
    route: 'POST /oauth/revoke',
    encoding: 'form',
    for: 'client',
    statuses: [200, 403],
    params: async (app) => ({
      token: (await tokensOf(app, app.desk, ['read_user'])).access_token,
      token_type_hint: 'access_token',
    }),
  },
  {
    route: 'POST /oauth/introspect',
    encoding: 'form',
    for: 'client',
    statuses: [200, 401],
    params: async (app) => ({
      token: (await tokensOf(app, app.desk, ['read_user'])).access_token,
      token_type_hint: 'access_token',
    }),
  },
  {
    route: 'POST /oauth/authorize_device',
    encoding: 'form',
    for: 'client',
    statuses: [200, 401],
    params: () => ({ scope: 'read_user' }),
  },
  {
    route: 'GET /oauth/token/info',
    encoding: 'query',
    for: 'token',
    statuses: [200, 401],
    params: () => ({}),
  },
  { route: 'GET /oauth/userinfo', encoding: 'query', for: 'token', statuses: [200, 401], params: () => ({}) },
  { route: 'POST /oauth/userinfo', encoding: 'form', for: 'token', statuses: [200, 401], params: () => ({}) },
  {
    route: 'POST /oauth/register',
    encoding: 'json',
    for: 'anybody',
    statuses: [201, 201],
    params: () => ({
      redirect_uris: [BACK],
      client_name: 'Editor',
      scope: 'openid',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }),
  },
  {
    route: 'GET /oauth/end_session',
    encoding: 'query',
    for: 'user',
    statuses: [200, 303],
    params: ({ desk }) => ({
      id_token_hint: '',
      client_id: desk.application_id,
      post_logout_redirect_uri: BACK,
      state: 'a',
    }),
  },
  {
    route: 'POST /oauth/end_session',
    encoding: 'form',
    for: 'user',
    statuses: [303, 303],
    params: ({ desk }) => ({
      id_token_hint: '',
      client_id: desk.application_id,
      post_logout_redirect_uri: BACK,
      state: 'a',
    }),
  },
  {
    route: 'GET /oauth/device',
    encoding: 'query',
    for: 'user',
    statuses: [200, 200],
    params: async (app) => ({ user_code: await userCode(app) }),
  },
  {
    route: 'POST /oauth/device',
    encoding: 'form',
    for: 'user',
    statuses: [200, 200],
    params: async (app) => ({ user_code: await userCode(app) }),
  },
  {
    route: 'GET /oauth/discovery/keys',
    encoding: 'query',
    for: 'anybody',
    statuses: [200, 200],
    params: () => ({}),
  },
]
