import { readFile } from 'node:fs/promises'

import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'

import { connectionProblem, mayPass } from '../lib/network-errors.js'
import { readAtMost } from '../lib/read-at-most.js'
import { MINUTE } from '../lib/time-units.js'
import type { CredentialSource } from './credential-source.js'
import { NO_KEY, S3RefusedError, S3UnavailableError, withRemedy } from './errors.js'
import { xmlValue } from './read-xml.js'
import type { S3Credentials, S3SettingNames } from './s3-settings.js'

/** Milliseconds before their end in which keys are renewed. A signed address ends with its key, after 10 minutes. */
const RENEW_BEFORE = 15 * MINUTE
/** Milliseconds between two requests for new keys while the old ones are valid: the machine renews its own late. */
const INTERVAL = MINUTE
/** Milliseconds for one request. These services are near. */
const TIMEOUT = 5_000
const MAX_BYTES = 1024 * 1024

interface Issued {
  credentials: S3Credentials
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Keys that a service of the surroundings issues for some hours. They are renewed before they expire. */
export class TemporaryCredentials {
  private issued: Issued | undefined
  private requested: Promise<Issued> | undefined
  private requestedAt = 0
  private readonly dispatcher: Dispatcher

  constructor(
    private readonly source: CredentialSource,
    private readonly names: S3SettingNames,
    private readonly now: () => number = Date.now,
  ) {
    // The services of a machine and of a container are never behind a proxy.
    this.dispatcher = source.kind === 'web-identity' ? new EnvHttpProxyAgent() : new Agent()
  }

  /**
   * Valid keys. If they cannot be renewed, those of before are returned until they expire. Throws `S3UnavailableError` and
   * `S3RefusedError`.
   */
  async get(): Promise<S3Credentials> {
    const { issued } = this
    const left = issued ? issued.expiresAt - this.now() : 0
    if (issued && left > 0 && (left > RENEW_BEFORE || this.now() - this.requestedAt < INTERVAL))
      return issued.credentials
    try {
      return (await this.renewed()).credentials
    } catch (error) {
      if (issued && issued.expiresAt > this.now()) return issued.credentials
      throw error
    }
  }

  close(): Promise<void> {
    return this.dispatcher.destroy()
  }

  /** Callers at the same time share one request. */
  private renewed(): Promise<Issued> {
    this.requested ??= this.request().finally(() => (this.requested = undefined))
    return this.requested
  }

  private async request(): Promise<Issued> {
    this.requestedAt = this.now()
    try {
      this.issued = await this.requestFrom(this.source)
      return this.issued
    } catch (error) {
      const reason = connectionProblem(error)
      const message = withRemedy(`${WHAT[this.source.kind]}: ${reason}`, this.names, { reason: NO_KEY })
      if (error instanceof KeyRefusedError)
        throw new S3RefusedError(message, error.status, NO_KEY, { cause: error })
      throw new S3UnavailableError(message, NO_KEY, { cause: error })
    }
  }

  private requestFrom(source: CredentialSource): Promise<Issued> {
    switch (source.kind) {
      case 'web-identity':
        return this.fromTokenService(source)
      case 'container':
        return this.fromContainer(source)
      case 'machine':
        return this.fromMachine(source)
    }
  }

  private async fromTokenService(source: CredentialSource & { kind: 'web-identity' }): Promise<Issued> {
    const token = await readToken(source.tokenFile)
    const body = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: source.roleArn,
      RoleSessionName: source.sessionName,
      WebIdentityToken: token,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const xml = await this.send(source.endpoint, { method: 'POST', headers, body })
    return checked({
      id: xmlValue(xml, 'AccessKeyId'),
      secret: xmlValue(xml, 'SecretAccessKey'),
      token: xmlValue(xml, 'SessionToken'),
      expiration: xmlValue(xml, 'Expiration'),
    })
  }

  private async fromContainer(source: CredentialSource & { kind: 'container' }): Promise<Issued> {
    const token = source.tokenFile ? await readToken(source.tokenFile) : source.token
    const headers: Record<string, string> = token === undefined ? {} : { authorization: token }
    return fromJson(await this.send(source.url, { headers }))
  }

  private async fromMachine({ endpoint }: CredentialSource & { kind: 'machine' }): Promise<Issued> {
    const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' }
    const token = await this.send(`${endpoint}/latest/api/token`, { method: 'PUT', headers: lifetime })
    const headers = { 'x-aws-ec2-metadata-token': token }
    const roles = `${endpoint}/latest/meta-data/iam/security-credentials/`
    const role = (await this.send(roles, { headers })).split('\n')[0]?.trim() ?? ''
    return fromJson(await this.send(roles + encodeURIComponent(role), { headers }))
  }

  private async send(
    url: string,
    {
      method = 'GET',
      headers,
      body,
    }: { method?: Dispatcher.HttpMethod; headers: Record<string, string>; body?: string },
  ): Promise<string> {
    const { origin, pathname, search } = new URL(url)
    const response = await this.dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers,
      body: body ?? null,
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const text = (await readAtMost(response.body, MAX_BYTES)).toString('utf8')
    if (response.statusCode === 200) return text
    const said = [response.statusCode, xmlValue(text, 'Code'), xmlValue(text, 'Message')]
      .filter(Boolean)
      .join(': ')
    const message = `${origin} returned ${said}`
    throw mayPass(response.statusCode)
      ? new Error(message)
      : new KeyRefusedError(message, response.statusCode)
  }
}

/** Another request would not help. */
class KeyRefusedError extends Error {
  constructor(
    message: string,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const WHAT = {
  'web-identity': 'the security token service issued no keys',
  container: 'the service of the container issued no keys',
  machine: 'the settings have no key, and the metadata service of the machine issued none',
} satisfies Record<CredentialSource['kind'], string>

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    const reason = connectionProblem(error)
    throw new KeyRefusedError(`the token for a role cannot be read: ${reason}`, undefined, { cause: error })
  }
}

function fromJson(text: string): Issued {
  let values: Record<string, unknown>
  try {
    values = JSON.parse(text) as Record<string, unknown>
  } catch {
    values = {}
  }
  const readElement = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  return checked({
    id: readElement('AccessKeyId'),
    secret: readElement('SecretAccessKey'),
    token: readElement('Token'),
    expiration: readElement('Expiration'),
  })
}

function checked(response: Record<'id' | 'secret' | 'token' | 'expiration', string | undefined>): Issued {
  const { id, secret, token, expiration } = response
  const expiresAt = Date.parse(expiration ?? '')
  if (!id || !secret || !token || Number.isNaN(expiresAt)) {
    throw new Error('the response is something else')
  }
  return { credentials: { accessKeyId: id, secretAccessKey: secret, sessionToken: token }, expiresAt }
}
