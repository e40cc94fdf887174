import type { LightMyRequestResponse } from 'fastify'

import type { ProviderRules } from '../../../src/coordinator/sessions/providers/provider-settings.js'
import type { OpenDatabase } from '../../support/databases.js'
import { corp } from '../sessions/providers/settings.js'
import { openSignInScene, type SignInScene } from '../sessions/scene.js'
import { EXTERNAL_URL } from '../support/test-app.js'

const BASE = '/api/scim/v2/application'
export const BASE_URL = `${EXTERNAL_URL}${BASE}`
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an identity provider sends; `text` is a body that is sent as it is. */
export interface ScimClient {
  send: (
    route: `${Method} /${string}`,
    body?: object | string,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
  patch: (path: string, ...operations: object[]) => Promise<LightMyRequestResponse>
}

export interface ScimScene extends SignInScene {
  /** The provider `corp`, with a token. */
  corp: ScimClient
  token: string
  client: (token: string) => ScimClient
  tokenOf: (provider: string) => Promise<string>
  stateOf: (username: string) => Promise<string | undefined>
  /** Access levels of a user by the path of the group. */
  levelsOf: (userId: number) => Promise<Record<string, number>>
}

interface ScimSceneOptions {
  rules?: Partial<ProviderRules>
  open?: OpenDatabase
}

/** A coordinator with the providers `corp` and `other`, whose address has no server. */
export async function openScimScene({ rules, open }: ScimSceneOptions = {}): Promise<ScimScene> {
  const issuer = 'http://127.0.0.1:9'
  const providers = [corp(issuer, rules), corp(issuer, rules, 'other')]
  const scene = await openSignInScene({
    settings: { signIn: { isAutomatic: false, providers } },
    ...(open && { open }),
  })
  const { app, database, root } = scene
  const call = scene.call.bind(scene)
  const tokenOf = async (provider: string) =>
    (await call(root, `POST /scim_tokens/${provider}`)).json<{ token: string }>().token
  const client = (token: string) => clientOf(app, token)
  const token = await tokenOf('corp')
  return Object.assign(scene, {
    call,
    token,
    tokenOf,
    client,
    corp: client(token),
    stateOf: async (username: string) => {
      const found = database.selectFrom('user').select('state').where('username', '=', username)
      return (await found.executeTakeFirst())?.state
    },
    levelsOf: async (userId: number) => {
      const rows = await database
        .selectFrom('member')
        .innerJoin('namespace', 'namespace.id', 'member.group_id')
        .select(['namespace.full_path', 'member.access_level'])
        .where('member.user_id', '=', userId)
        .execute()
      return Object.fromEntries(rows.map(({ full_path, access_level }) => [full_path, access_level]))
    },
  })
}

export function clientOf(app: SignInScene['app'], token: string): ScimClient {
  const send: ScimClient['send'] = (route, body, headers = {}) => {
    const [method, path] = route.split(' ') as [Method, string]
    return app.inject({
      method,
      url: BASE + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }
  return {
    send,
    patch: (path, ...Operations) =>
      send(`PATCH ${path as `/${string}`}`, { schemas: [PATCH_SCHEMA], Operations }),
  }
}

/** A user as Okta sends it; `name` is the part before the `@`. */
export function ada(changes: object = {}): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ada@corp.example',
    externalId: 'ada-at-corp',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, value: 'ada@corp.example', type: 'work' }],
    active: true,
    ...changes,
  }
}

/** Creates a user, and returns the ID. */
export async function provision(client: ScimClient, changes: object = {}): Promise<number> {
  const response = await client.send('POST /Users', ada(changes))
  if (response.statusCode !== 201) throw new Error(response.body)
  return Number(response.json<{ id: string }>().id)
}

/** Status, keyword and code of an error. */
export function refusalOf(response: LightMyRequestResponse): [number, string | undefined, unknown] {
  const { scimType } = response.json<{ scimType?: string }>()
  return [response.statusCode, scimType, response.headers['x-error-code']]
}
