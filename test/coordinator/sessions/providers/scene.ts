import type { LightMyRequestResponse } from 'fastify'

import type {
  OpenIdSettings,
  ProviderRules,
  SignInSettings,
} from '../../../../src/coordinator/sessions/providers/provider-settings.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { openSignInScene, type SignInScene, type Visitor } from '../scene.js'
import { type Claims, CLIENT, OpenIdServer } from './openid-server.js'
import { STRICT } from './strict-rules.js'

/** The settings of a provider named `corp`. */
export function corp(issuer: string, rules: Partial<ProviderRules> = {}, name = 'corp'): OpenIdSettings {
  return {
    kind: 'openid',
    name,
    label: name === 'corp' ? 'Corp' : name,
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: ['openid', 'profile', 'email'],
    claims: { username: 'preferred_username', name: 'name', email: 'email', groups: 'groups' },
    rules: { ...STRICT, ...rules },
  }
}

export interface ProviderScene extends SignInScene {
  server: OpenIdServer
  /** Signs a visitor in at the provider, and returns the response of the callback. */
  signIn: (visitor: Visitor, query?: string) => Promise<LightMyRequestResponse>
}

export interface ProviderSceneOptions {
  rules?: Partial<ProviderRules>
  signIn?: Partial<SignInSettings>
  open?: OpenDatabase
  /** A provider that runs already. */
  server?: OpenIdServer
}

/** A coordinator with the people of the sign-in scene, and a provider whose user is `server.user`. */
export async function openProviderScene({
  rules,
  signIn,
  open,
  server: running,
}: ProviderSceneOptions = {}): Promise<ProviderScene> {
  const server = running ?? (await startServer())
  const settings = { isAutomatic: false, providers: [corp(server.issuer, rules)], ...signIn }
  const scene = await openSignInScene({ settings: { signIn: settings }, ...(open && { open }) })
  return Object.assign(scene, {
    server,
    call: scene.call.bind(scene),
    signIn: async (visitor: Visitor, query = '') => {
      await visitor.get(`/users/sign_in${query}`)
      return visitor.get(await comeBack(server, await visitor.submit('/users/auth/corp')))
    },
  })
}

export function startServer(): Promise<OpenIdServer> {
  return OpenIdServer.start(
    [`${EXTERNAL_URL}/users/auth/corp/callback`],
    `${EXTERNAL_URL}/users/auth/corp/backchannel_logout`,
  )
}

/** Where a page leads the browser: to the provider. */
export function addressIn({ headers }: LightMyRequestResponse): string {
  return (headers['refresh'] ?? '').replace('0;url=', '') || String(headers.location)
}

/** Signs in at the provider, and returns the path of the callback. */
export async function comeBack(server: OpenIdServer, page: LightMyRequestResponse): Promise<string> {
  return (await server.visit(addressIn(page))).replace(EXTERNAL_URL, '')
}

/** A user of the provider. */
export const MARY = {
  sub: 'mary-at-corp',
  name: 'Mary of Corp',
  preferred_username: 'mary.corp',
  email: 'mary@corp.example',
  email_verified: true,
}

export const NEW_ACCOUNTS = { newAccounts: true }

/** What a sign-in by the provider leads to. */
export interface Arrival {
  scene: ProviderScene
  response: LightMyRequestResponse
  status: number
  /** The name of the user who is signed in; 401 for nobody. */
  name: string | number
}

/** Signs a user of the provider in to a new scene with these rules. */
export async function arrive(
  server: OpenIdServer,
  user: Claims,
  rules: Partial<ProviderRules>,
  prepare?: (scene: ProviderScene) => unknown,
): Promise<Arrival> {
  const scene = await openProviderScene({ server, rules })
  await prepare?.(scene)
  const browser = scene.visitor()
  server.user = user
  server.forgetBrowser()
  const response = await scene.signIn(browser)
  return { scene, response, status: response.statusCode, name: await browser.name() }
}

/** The account of the user who is signed in, as an administrator sees it. */
export async function ownAccount({ scene, name }: Pick<Arrival, 'scene' | 'name'>): Promise<object> {
  const [user = {}] = (await scene.call(scene.root, `GET /users?username=${name}`)).json<object[]>()
  return user
}
