import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'

import { CLIENT } from '../../coordinator/sessions/providers/settings.js'
import { onFinished } from '../../support/lifetime.js'

export interface Keys {
  privateKey: CryptoKey
  publicKey: CryptoKey
}

export type Claims = Record<string, unknown>

/** Makes the ID token of a response from the claims of a right one. */
export type TokenMaker = (claims: Claims, provider: HostileProvider) => string | Promise<string>

const honest: TokenMaker = (claims, provider) => provider.sign(claims)

/** A provider whose responses the test chooses. It asks nobody: the address to sign in leads back with a code at once. */
export class HostileProvider {
  /** What the next ID tokens are. */
  tokenOf: TokenMaker = honest
  /** What is added to the claims, and to the query of the callback. */
  claims: Claims = { sub: 'mary-at-corp' }
  callback: Record<string, string> = {}
  /** Codes that were exchanged. */
  readonly exchanged: string[] = []
  private readonly requests = new Map<string, Claims>()

  private constructor(
    readonly issuer: string,
    readonly keys: Keys,
    private readonly server: Server,
  ) {}

  static async start(): Promise<HostileProvider> {
    const keys = await generateKeyPair('RS256', { extractable: true })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new HostileProvider(issuer, keys, server)
    server.on('request', (request, response) => {
      void text(request).then(async (body) => {
        const json = await provider.respond(new URL(request.url ?? '/', issuer).pathname, body)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(json))
      })
    })
    onFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return provider
  }

  /** The address of the callback to which a sign-in at `url` leads. */
  authorize(url: string): URL {
    const { searchParams } = new URL(url)
    const code = randomUUID()
    const now = Math.floor(Date.now() / 1000)
    this.requests.set(code, {
      iss: this.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: searchParams.get('nonce'),
      ...this.claims,
    })
    const callback = new URL(searchParams.get('redirect_uri') ?? '')
    const query = { code, state: searchParams.get('state') ?? '', iss: this.issuer, ...this.callback }
    callback.search = new URLSearchParams(query).toString()
    return callback
  }

  sign(claims: Claims, { typ = 'JWT', key = this.keys.privateKey } = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first', typ }).sign(key)
  }

  /** Signed with the public key as if it were a secret. */
  async signWithPublicKey(claims: Claims): Promise<string> {
    const secret = new TextEncoder().encode(await exportSPKI(this.keys.publicKey))
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret)
  }

  private async respond(path: string, body: string): Promise<unknown> {
    if (path === '/jwks') {
      return { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'first', use: 'sig' }] }
    }
    if (path === '/token') {
      const code = new URLSearchParams(body).get('code') ?? ''
      this.exchanged.push(code)
      const claims = this.requests.get(code) ?? {}
      const id_token = await this.tokenOf(claims, this)
      return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token }
    }
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // It offers what nobody should accept.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    }
  }
}

/** A token without a signature. */
export function unsigned(claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(claims)}.`
}
