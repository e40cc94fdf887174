import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { type CredentialSource, credentialSource } from '../../src/s3/credential-source.js'
import { TemporaryCredentials } from '../../src/s3/temporary-credentials.js'
import { openStoreIn } from '../support/blob-stores.js'
import { container, type KeyService, machine, ROLES, tokenService } from '../support/key-service.js'
import { onFinished } from '../support/lifetime.js'
import { KEY, S3Server, SETTING_NAMES } from '../support/s3-server.js'
import { tempDir } from '../support/temp-dir.js'

const HOUR = 3_600_000

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
    const response = await fetch((await blobs.downloadUrl('a', 60, headers)) ?? '')
    expect(response.status).toBe(404)
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
