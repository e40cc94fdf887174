import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onFinished } from './lifetime.js'

type Checked = (jwt: string, role: string | undefined) => Promise<boolean> | boolean

interface Login {
  jwt: string
  role?: string
}

/** A server for version 1 of Vault's HTTP API on loopback: JWT login, and key-value engines of both versions. */
export class VaultServer {
  /** Received requests, as `METHOD path`. */
  readonly requests: string[] = []
  /** Server errors for the next requests. */
  failures = 0
  namespace: string | undefined
  /** Contents by path below `v1/`. */
  readonly contents = new Map<string, unknown>()

  private constructor(
    private readonly server: Server,
    private readonly isWelcome: Checked,
  ) {
    server.on('request', (request, response) => {
      void this.respond(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
  }

  /** `isWelcome` accepts or rejects each login. */
  static async start(isWelcome: Checked = () => true): Promise<VaultServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return new VaultServer(server, isWelcome)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  private async respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const path = (request.url ?? '').replace('/v1/', '')
    this.requests.push(`${request.method} ${path}`)
    if (this.failures > 0) {
      this.failures--
      return { status: 503, body: { errors: ['Vault is sealed'] } }
    }
    const namespace = request.headers['x-vault-namespace']
    if (namespace !== this.namespace) return denied(`no such namespace: ${String(namespace)}`)
    if (request.method === 'POST') return this.login(JSON.parse(await bodyOf(request)) as Login)
    if (request.headers['x-vault-token'] !== 'hvs.token') return denied('permission denied')
    const content = this.contents.get(path)
    return content === undefined ? { status: 404, body: { errors: [] } } : { status: 200, body: content }
  }

  private async login({ jwt, role }: Login) {
    if (!(await this.isWelcome(jwt, role))) return denied('error validating token')
    return { status: 200, body: { auth: { client_token: 'hvs.token' } } }
  }
}

function denied(problem: string) {
  return { status: 403, body: { errors: [problem] } }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
