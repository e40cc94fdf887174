import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type * as OpenIdClient from 'openid-client'

import { isRecord } from '../../../lib/is-record.js'
import { HOUR, SECOND } from '../../../lib/time-units.js'
import { describeRules } from './describe-rules.js'
import { readLogoutToken } from './logout-token.js'
import type { OpenIdSettings, ProviderRules } from './provider-settings.js'
import {
  type BegunSignIn,
  type EndedAtProvider,
  type IdentityProvider,
  type ProvenIdentity,
  ProviderError,
} from './provider.js'
import { identityOf } from './read-claims.js'

/** Seconds for each request to a provider. */
const TIMEOUT = 10
/** Milliseconds after which the metadata of a provider is read again. Its keys are read again when one is unknown. */
const METADATA_LIFE = HOUR

interface Discovered {
  configuration: OpenIdClient.Configuration
  at: number
}

/**
 * Signs in by OpenID Connect Core 1.0 with the code flow, PKCE (S256), `state` and `nonce`. The signature of an ID token
 * is always verified, with a public key: `none` and `HS256` are refused.
 *
 * The provider is first asked when a user signs in, so the coordinator starts without it.
 */
export class OpenIdProvider implements IdentityProvider {
  readonly name: string
  readonly label: string
  readonly rules: ProviderRules
  private discovered: Promise<Discovered> | undefined
  private logoutKeys: { url: string; find: JWTVerifyGetKey } | undefined

  /** `callbackUrl` is where the provider sends the browser back. */
  constructor(
    private readonly settings: OpenIdSettings,
    private readonly callbackUrl: string,
  ) {
    this.name = settings.name
    this.label = settings.label
    this.rules = settings.rules
  }

  describe(): [name: string, value: string][] {
    const { issuer, clientId, clientSecret, scopes, rules } = this.settings
    return [
      ['Issuer', issuer],
      ['Client', `${clientId} (${clientSecret === undefined ? 'without' : 'with'} a secret)`],
      ['Scopes', scopes.join(' ')],
      ...describeRules(rules),
    ]
  }

  async begin({ asksAgain }: { asksAgain: boolean }): Promise<BegunSignIn> {
    const client = await loadClient()
    const configuration = await this.configuration()
    const [state, nonce, verifier] = [
      client.randomState(),
      client.randomNonce(),
      client.randomPKCECodeVerifier(),
    ]
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: this.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // `max_age` makes the provider say when the user authenticated.
      ...(asksAgain && { prompt: 'login', max_age: '0' }),
    })
    return { url, state, kept: { nonce, verifier } }
  }

  async finish(
    url: URL,
    { state, kept: { nonce = '', verifier = '' } }: Pick<BegunSignIn, 'state' | 'kept'>,
  ): Promise<ProvenIdentity> {
    const client = await loadClient()
    const configuration = await this.configuration()
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The response has no ID token')
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const info = hasUserInfo
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      return identityOf({ token: claims, info }, this.settings.claims, this.settings.subjectClaim)
    } catch (error) {
      throw this.problemOf(client, error)
    }
  }

  async readLogout(token: string): Promise<EndedAtProvider> {
    const { issuer, jwks_uri: keysUrl } = (await this.configuration()).serverMetadata()
    if (keysUrl === undefined) throw new ProviderError('invalid', 'The provider has no keys', undefined)
    const { clientId } = this.settings
    return readLogoutToken(token, { issuer, clientId, keys: this.keysAt(keysUrl) })
  }

  /** They are read again when a token names an unknown key. */
  private keysAt(url: string): JWTVerifyGetKey {
    if (this.logoutKeys?.url !== url) {
      this.logoutKeys = { url, find: createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT * SECOND }) }
    }
    return this.logoutKeys.find
  }

  private async configuration(): Promise<OpenIdClient.Configuration> {
    this.discovered ??= this.discover()
    const { configuration, at } = await this.discovered
    if (Date.now() - at < METADATA_LIFE) return configuration
    this.discovered = this.discover()
    return (await this.discovered).configuration
  }

  private discover(): Promise<Discovered> {
    return this.readMetadata().catch((error: unknown) => {
      this.discovered = undefined // it may be back for the next one
      throw new ProviderError(
        'unreachable',
        `${this.label} is not reachable at the moment. Try again later, or sign in in another way.`,
        error,
      )
    })
  }

  private async readMetadata(): Promise<Discovered> {
    const client = await loadClient()
    const { issuer, clientId, clientSecret } = this.settings
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : secretAuthentication(client, clientSecret),
      {
        timeout: TIMEOUT,
        execute: [
          client.enableNonRepudiationChecks,
          // An address without TLS is the choice of the administrator.
          // oxlint-disable-next-line typescript/no-deprecated
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    return { configuration, at: Date.now() }
  }

  private problemOf(client: typeof OpenIdClient, error: unknown): ProviderError {
    if (error instanceof client.AuthorizationResponseError) {
      const text = `${this.label} has not signed you in: ${error.error_description ?? error.error}`
      return new ProviderError('refused', text, error)
    }
    if (isUnreachable(error)) {
      const text = `${this.label} is not reachable at the moment. Try again later, or sign in in another way.`
      return new ProviderError('unreachable', text, error)
    }
    const text = `The response of ${this.label} is not valid. Try again; if it stays so, ask an administrator.`
    return new ProviderError('invalid', text, error)
  }
}

/** Loaded at the first sign-in: most coordinators have no provider. */
function loadClient(): Promise<typeof OpenIdClient> {
  return import('openid-client')
}

/** By the header, unless the provider takes the secret in the body alone (OpenID Connect Discovery 1.0, section 3). */
function secretAuthentication(client: typeof OpenIdClient, secret: string): OpenIdClient.ClientAuth {
  const [byHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? byHeader : inBody
    authenticate(server, metadata, body, headers)
  }
}

/** `fetch` throws a `TypeError` without a connection. */
function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const names = [error, cause].map((each) => (isRecord(each) || each instanceof Error ? each.name : ''))
  return names.includes('TimeoutError') || (error instanceof TypeError && error.message === 'fetch failed')
}
