import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { onFinished } from './lifetime.js'
import { KEY } from './s3-server.js'

const HOUR = 3_600_000
export const ROLES = '/latest/meta-data/iam/security-credentials/'

type Respond = (request: IncomingMessage & { sent: string }) => { status?: number; body: string }

/** A service of the surroundings. Each key that it issues has the number of the response as its token. */
export class KeyService {
  readonly requests: string[] = []
  issued = 0
  /** Lifetime of keys, in milliseconds. */
  lifetime = 6 * HOUR
  fault: number | undefined
  now = Date.now()

  private constructor(readonly address: string) {}

  static async start(respond: (service: KeyService) => Respond): Promise<KeyService> {
    const server = createServer((request, response) => {
      void text(request).then((sent) => {
        service.requests.push(`${request.method} ${request.url}`)
        const { status = 200, body } = service.fault
          ? { status: service.fault, body: '' }
          : respond(service)(Object.assign(request, { sent }))
        response.writeHead(status).end(body)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const service = new KeyService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return service
  }

  key() {
    const Expiration = new Date(this.now + this.lifetime).toISOString()
    return { AccessKeyId: KEY, SecretAccessKey: KEY, Token: `token-${++this.issued}`, Expiration }
  }
}

/** The metadata service of a machine with the role `builds`. */
export const machine = () =>
  KeyService.start((service) => ({ method, url, headers }) => {
    if (method === 'PUT' && url === '/latest/api/token') {
      const isAsked = headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined
      return isAsked ? { body: 'session' } : { status: 400, body: '' }
    }
    if (headers['x-aws-ec2-metadata-token'] !== 'session') return { status: 401, body: '' }
    if (url === ROLES) return { body: 'builds\n' }
    if (url === `${ROLES}builds`) return { body: JSON.stringify({ Code: 'Success', ...service.key() }) }
    return { status: 404, body: '' }
  })

/** The service of a container, which wants `token`. */
export const container = (token: string) =>
  KeyService.start((service) => ({ url, headers }) => {
    if (url !== '/v1/credentials' || headers.authorization !== token) return { status: 401, body: '' }
    return { body: JSON.stringify(service.key()) }
  })

/** The security token service, for the role `arn:builds` and the token `web token`. */
export const tokenService = () =>
  KeyService.start((service) => ({ sent }) => {
    const form = new URLSearchParams(sent)
    const isAsked = form.get('Action') === 'AssumeRoleWithWebIdentity' && form.get('RoleArn') === 'arn:builds'
    if (!isAsked || form.get('WebIdentityToken') !== 'web token') {
      const error = '<Error><Code>InvalidIdentityToken</Code><Message>no such token</Message></Error>'
      return { status: 400, body: `<ErrorResponse>${error}</ErrorResponse>` }
    }
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = service.key()
    const key = `<AccessKeyId>${AccessKeyId}</AccessKeyId><SecretAccessKey>${SecretAccessKey}</SecretAccessKey>`
    const rest = `<SessionToken>${Token}</SessionToken><Expiration>${Expiration}</Expiration>`
    return { body: `<R><Credentials>${key}${rest}</Credentials></R>` }
  })
