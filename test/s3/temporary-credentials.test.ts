import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { type CredentialSource, credentialSource } from '../../src/s3/credential-source.js'
import { TemporaryCredentials } from '../../src/s3/temporary-credentials.js'
import { openStoreIn } from '../support/blob-stores.js'
import { onFinished } from '../support/lifetime.js'
import { KEY, S3Server, SETTING_NAMES } from '../support/s3-server.js'
import { tempDir } from '../support/temp-dir.js'

const HOUR = 3_600_000
const ROLES = '/latest/meta-data/iam/security-credentials/'

type Respond = (request: IncomingMessage & { sent: string }) => { status?: number; body: string }

/** A service of the surroundings. Each key that it issues has the number of the answer as its token. */
class KeyService {
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

const machine = () =>
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

const container = (token: string) =>
  KeyService.start((service) => ({ url, headers }) => {
    if (url !== '/v1/credentials' || headers.authorization !== token) return { status: 401, body: '' }
    return { body: JSON.stringify(service.key()) }
  })

const tokenService = () =>
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

function credentialsOf(service: KeyService, source: CredentialSource): TemporaryCredentials {
  const credentials = new TemporaryCredentials(source, SETTING_NAMES, () => service.now)
  onFinished(() => credentials.close())
  return credentials
}

async function fileWith(content: string): Promise<string> {
  const file = join(await tempDir(), 'token')
  await writeFile(file, content)
  return file
}

describe('keys for a bucket come from', () => {
  test('the role of the machine, by IMDSv2', async () => {
    const service = await machine()
    const keys = credentialsOf(service, { kind: 'machine', endpoint: service.address })
    expect(await keys.get()).toEqual({ accessKeyId: KEY, secretAccessKey: KEY, sessionToken: 'token-1' })
    expect(service.requests).toEqual(['PUT /latest/api/token', `GET ${ROLES}`, `GET ${ROLES}builds`])
  })

  test.each([
    ['a variable', (): Promise<object> => Promise.resolve({ token: 'secret', tokenFile: undefined })],
    ['a file', async (): Promise<object> => ({ token: undefined, tokenFile: await fileWith('secret\n') })],
  ])('the service of the container, with the token of %s', async (_name, tokenOf) => {
    const service = await container('secret')
    const source = { kind: 'container', url: `${service.address}/v1/credentials`, ...(await tokenOf()) }
    expect(await credentialsOf(service, source as CredentialSource).get()).toMatchObject({
      sessionToken: 'token-1',
    })
  })

  test('the security token service, for a web identity', async () => {
    const service = await tokenService()
    const tokenFile = await fileWith('web token\n')
    const role = { kind: 'web-identity', tokenFile, sessionName: 's', endpoint: service.address } as const
    const keys = credentialsOf(service, { ...role, roleArn: 'arn:builds' })
    expect(await keys.get()).toMatchObject({ sessionToken: 'token-1' })
    await expect(credentialsOf(service, { ...role, roleArn: 'arn:other' }).get()).rejects.toThrow(
      '400: InvalidIdentityToken: no such token',
    )
  })
})

describe('keys of a role', () => {
  test('are shared, and renewed 15 minutes before they expire', async () => {
    const service = await machine()
    const keys = credentialsOf(service, { kind: 'machine', endpoint: service.address })
    const both = await Promise.all([keys.get(), keys.get()])
    expect(both.map(({ sessionToken }) => sessionToken)).toEqual(['token-1', 'token-1'])
    service.now += 6 * HOUR - 16 * 60_000
    expect(await keys.get()).toMatchObject({ sessionToken: 'token-1' })
    service.now += 2 * 60_000
    expect(await keys.get()).toMatchObject({ sessionToken: 'token-2' })
  })

  test('that the machine does not renew yet are asked for once a minute', async () => {
    const service = await machine()
    service.lifetime = 10 * 60_000
    const keys = credentialsOf(service, { kind: 'machine', endpoint: service.address })
    for (let times = 0; times < 5; times++) await keys.get()
    expect(service.issued).toBe(1)
    service.now += 61_000
    await keys.get()
    expect(service.issued).toBe(2)
  })

  test('are used until their end if they cannot be renewed', async () => {
    const service = await machine()
    const keys = credentialsOf(service, { kind: 'machine', endpoint: service.address })
    await keys.get()
    service.fault = 500
    service.now += 6 * HOUR - 60_000
    expect(await keys.get()).toMatchObject({ sessionToken: 'token-1' })
    service.now += 2 * 60_000
    await expect(keys.get()).rejects.toMatchObject({ code: 'S3_UNAVAILABLE', reason: 'NoKey' })
    service.fault = undefined
    expect(await keys.get()).toMatchObject({ sessionToken: 'token-2' })
  })

  test('that does not exist are an error that says so', async () => {
    const service = await machine()
    service.fault = 404
    const keys = credentialsOf(service, { kind: 'machine', endpoint: service.address })
    await expect(keys.get()).rejects.toMatchObject({ code: 'S3_REFUSED', reason: 'NoKey' })
    await expect(keys.get()).rejects.toThrow('the metadata service of the machine issued none')
  })

  test('sign requests and addresses of a bucket', async () => {
    const service = await machine()
    const server = await S3Server.start()
    server.sessionTokens = new Set(['token-1'])
    const credentials: CredentialSource = { kind: 'machine', endpoint: service.address }
    const blobs = await openStoreIn(server, { bucket: server.settings({ credentials }), isDirect: true })
    expect(await blobs.exists('a')).toBe(false)
    const headers = { contentType: 'text/plain', contentDisposition: 'attachment' }
    const answer = await fetch((await blobs.downloadUrl('a', 60, headers)) ?? '')
    expect(answer.status).toBe(404)
  })
})

describe('the source of keys', () => {
  const at = (environment: Record<string, string>, changes = {}) =>
    credentialSource(environment, { region: 'eu-central-1', mayAskMachine: true, ...changes })
  const identity = { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn' }
  const relative = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/x' }

  test('is that of the variables, in the order of the tools of Amazon', () => {
    expect(at({ ...identity, ...relative })).toEqual({
      kind: 'web-identity',
      tokenFile: '/token',
      roleArn: 'arn',
      sessionName: 'switchyard',
      endpoint: 'https://sts.eu-central-1.amazonaws.com',
    })
    expect(at(identity, { region: 'cn-north-1' })).toMatchObject({
      endpoint: 'https://sts.cn-north-1.amazonaws.com.cn',
    })
    expect(at({ ...relative, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'x' })).toEqual({
      kind: 'container',
      url: 'http://169.254.170.2/v2/x',
      token: 'x',
      tokenFile: undefined,
    })
    expect(at({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1' })).toMatchObject({
      url: 'http://169.254.170.23/v1',
    })
    expect(at({})).toEqual({ kind: 'machine', endpoint: 'http://169.254.169.254' })
  })

  test('is not the machine for a bucket elsewhere, or if that is disabled', () => {
    expect(at({}, { mayAskMachine: false })).toBeUndefined()
    expect(at({ AWS_EC2_METADATA_DISABLED: 'true' })).toBeUndefined()
    expect(at(identity, { mayAskMachine: false })).toMatchObject({ kind: 'web-identity' })
  })
})
