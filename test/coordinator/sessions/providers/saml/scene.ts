import type { LightMyRequestResponse } from 'fastify'

import type {
  ProviderRules,
  SamlSettings,
} from '../../../../../src/coordinator/sessions/providers/provider-settings.js'
import type { OpenDatabase } from '../../../../support/databases.js'
import { openSignInScene, type SignInScene, type Visitor } from '../../scene.js'
import { addressIn, STRICT } from '../scene.js'
import { KEYS } from './keys.js'
import { type ResponseFacts, SamlServer } from './saml-server.js'

/** The settings of a provider. */
export function samlCorp(
  server: SamlServer,
  changes: Partial<SamlSettings> = {},
  rules: Partial<ProviderRules> = {},
): SamlSettings {
  const { entityId, signOnUrl, logoutUrl } = server
  const name = changes.name ?? 'corp'
  return {
    kind: 'saml',
    name,
    label: name === 'corp' ? 'Corp' : name,
    entityId: undefined,
    idp: {
      kind: 'fixed',
      facts: { entityId, signOnUrl, logoutUrl, certificates: [KEYS.idp.certificate] },
    },
    isResponseSigned: false,
    keyPair: undefined,
    nameIdFormat: 'persistent',
    subjectAttribute: undefined,
    attributes: {
      username: ['username'],
      name: ['name'],
      givenName: ['givenName'],
      surname: ['sn'],
      email: ['email'],
      groups: ['groups'],
    },
    emailsVerified: false,
    rules: { ...STRICT, ...rules },
    ...changes,
  }
}

export interface SamlScene extends SignInScene {
  server: SamlServer
  /** Metadata of this instance, by the name of the provider. */
  metadataOf: (name?: string) => Promise<string>
  /** Sends a visitor to the provider, and returns the ID of the request. */
  leave: (visitor: Visitor, query?: string, name?: string) => Promise<string>
  /** The form of the provider: another site sends it, so no cookie comes with it. */
  post: (message: string, name?: string, fields?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** Signs a visitor in at the provider, and returns the response of the callback. */
  signIn: (visitor: Visitor, changes?: Partial<ResponseFacts>) => Promise<LightMyRequestResponse>
}

export interface SamlSceneOptions {
  server?: SamlServer
  providers?: readonly SamlSettings[]
  open?: OpenDatabase
}

/** A coordinator with the people of the sign-in scene, and a provider whose user is `server.user`. */
export async function openSamlScene({
  server = new SamlServer(),
  providers = [samlCorp(server, {}, { newAccounts: true })],
  open,
}: SamlSceneOptions = {}): Promise<SamlScene> {
  const settings = { isAutomatic: false, providers }
  const scene = await openSignInScene({ settings: { signIn: settings }, ...(open && { open }) })
  const { app } = scene
  const metadataOf = async (name = 'corp') => (await app.inject(`/users/auth/${name}/metadata`)).body
  const post: SamlScene['post'] = (message, name = 'corp', fields = {}) =>
    app.inject({
      method: 'POST',
      url: `/users/auth/${name}/callback`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://idp.example',
        'sec-fetch-site': 'cross-site',
      },
      payload: new URLSearchParams({ SAMLResponse: message, ...fields }).toString(),
    })
  const leave: SamlScene['leave'] = async (visitor, query = '', name = 'corp') => {
    await visitor.get(`/users/sign_in${query}`)
    const url = addressIn(await visitor.submit(`/users/auth/${name}`))
    return (await server.readRequest(await metadataOf(name), url)).id
  }
  const signIn: SamlScene['signIn'] = async (visitor, changes) => {
    const id = await leave(visitor)
    const arrived = await post(await server.respond(await metadataOf(), id, changes))
    return arrived.statusCode === 303 ? visitor.get(String(arrived.headers.location)) : arrived
  }
  return Object.assign(scene, {
    call: scene.call.bind(scene),
    server,
    metadataOf,
    leave,
    post,
    signIn,
  })
}
