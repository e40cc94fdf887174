import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'

import { onFinished } from '../../../support/lifetime.js'
import { CLIENT } from './settings.js'

/** What the server says of its user. */
export type Claims = Record<string, unknown> & { sub: string }

/** A real OpenID Connect provider on 127.0.0.1, at which `user` is signed in without a question. */
export class OpenIdServer {
  user: Claims = { sub: 'mary-at-corp' }
  /** The cookies of the browser of the user. */
  private readonly cookies = new Map<string, string>()

  private provider: Provider | undefined

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly callbacks: string[],
    private readonly logoutUrl: string | undefined,
  ) {}

  /** Closed when the test, or its file, has finished. `callbacks` are where browsers may be sent back to. */
  static async start(callbacks: string[], logoutUrl?: string): Promise<OpenIdServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const started = new OpenIdServer(issuer, server, callbacks, logoutUrl)
    await started.replaceKey()
    server.on('request', (request, response) => {
      const { provider } = started
      if (request.url?.startsWith('/interaction/')) {
        const result = { login: { accountId: started.user.sub } }
        void provider?.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      } else void provider?.callback()(request, response)
    })
    onFinished(() => started.close())
    return started
  }

  /** Opens an address as the browser of the user does, and returns where it is sent in the end. */
  async visit(url: string): Promise<string> {
    let next = url
    while (next.startsWith(this.issuer)) {
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        this.cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${response.status} at ${next}: ${await response.text()}`)
      next = new URL(location, next).href
    }
    return next
  }

  /** Ends the session of the browser. */
  forgetBrowser(): void {
    this.cookies.clear()
  }

  /** Starts again with another key for signatures. Sessions of users end. */
  async replaceKey(): Promise<void> {
    this.provider = await this.createProvider(this.callbacks, this.logoutUrl)
  }

  /** After `close`, at the same address. */
  async listenAgain(): Promise<void> {
    const { port } = new URL(this.issuer)
    await new Promise<void>((resolve) => this.server.listen(Number(port), '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    if (!this.server.listening) return
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async createProvider(callbacks: string[], logoutUrl: string | undefined): Promise<Provider> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key: JWK = { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' }
    return new Provider(this.issuer, {
      jwks: { keys: [key] },
      cookies: { keys: ['the key of the cookies'] },
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: callbacks,
          ...(logoutUrl !== undefined && {
            backchannel_logout_uri: logoutUrl,
            backchannel_logout_session_required: true,
          }),
        },
      ],
      claims: {
        openid: ['sub', 'acr', 'auth_time', 'groups'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...this.user, sub }) }),
      loadExistingGrant: async ({ oidc }) => {
        const { client, session } = oidc
        const grant = new oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
      ttl: { Session: 3600, Grant: 3600, Interaction: 3600, AccessToken: 3600, IdToken: 3600 },
    })
  }
}
