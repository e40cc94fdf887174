import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

import { Hash } from '@smithy/hash-node'
import { SignatureV4 } from '@smithy/signature-v4'
import { type Dispatcher, EnvHttpProxyAgent } from 'undici'

import { connectionProblem, isDiskError, mayPass } from '../lib/network-errors.js'
import { readAtMost } from '../lib/read-at-most.js'
import { MINUTE } from '../lib/time-units.js'
import { S3RefusedError, S3UnavailableError, withRemedy } from './errors.js'
import { encode, objectAddress, regionOf } from './object-address.js'
import { xmlValue } from './read-xml.js'
import type { S3Credentials, S3Settings } from './s3-settings.js'
import { TemporaryCredentials } from './temporary-credentials.js'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Name of the object; empty for the bucket. */
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string | S3Body
  /** The store works for a while before it responds: it joins or copies parts. */
  isSlow?: boolean
  signal: AbortSignal
}

/** Bytes that can be read again for another attempt. */
export interface S3Body {
  /** Bytes. */
  size: number
  /** Hex. If absent, the bytes are read a second time to sign them. */
  sha256?: string
  open(): Readable
}

export interface S3Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Dispatcher.ResponseData['body']
}

export interface S3ClientOptions {
  /** The setting that limits the time of a request, for error messages. */
  timeoutSetting?: string
}

const CONNECT_TIMEOUT = 30_000
/**
 * Limit from the end of the request to the start of the response (runner protocol, 8). Joining parts takes longer.
 */
const HEADERS_TIMEOUT = 30_000
const ASSEMBLY_TIMEOUT = 5 * MINUTE
/** A list of 1,000 objects with the longest names. */
const MAX_XML_BYTES = 8 * 1024 * 1024

class Sha256 extends Hash {
  constructor(secret?: ConstructorParameters<typeof Hash>[1]) {
    super('sha256', secret)
  }
}

/** Sends signed requests to one bucket (AWS signature, version 4). The signature covers the digest of the body. */
export class S3Client {
  private readonly signer: SignatureV4
  /** Undefined if the settings have a key. */
  private readonly temporary: TemporaryCredentials | undefined
  private readonly agent = new EnvHttpProxyAgent({ connect: { timeout: CONNECT_TIMEOUT } })

  constructor(
    readonly settings: S3Settings,
    private readonly options: S3ClientOptions = {},
  ) {
    let credentials: S3Credentials | (() => Promise<S3Credentials>)
    if ('kind' in settings.credentials) {
      const temporary = new TemporaryCredentials(settings.credentials, settings.names)
      this.temporary = temporary
      credentials = () => temporary.get()
    } else credentials = settings.credentials
    this.signer = new SignatureV4({
      service: 's3',
      region: regionOf(settings),
      credentials,
      sha256: Sha256,
      uriEscapePath: false,
    })
  }

  /**
   * Returns the response if its status is in `expected`. Throws `S3UnavailableError` for errors that may be
   * temporary, else `S3RefusedError` with the message of the server.
   */
  async send(request: S3Request, expected: number[]): Promise<S3Response> {
    const response = await this.sendSigned(request)
    if (expected.includes(response.status)) return response
    throw this.refusal(response.status, await this.readText(response))
  }

  /** Reads the XML of a response, up to 8 MiB. */
  async readText({ body }: S3Response): Promise<string> {
    return this.overNetwork(async () => (await readAtMost(body, MAX_XML_BYTES)).toString('utf8'))
  }

  /** The error of a response that was not expected. */
  refusal(status: number, xml: string): S3RefusedError | S3UnavailableError {
    const code = xmlValue(xml, 'Code')
    const message = xmlValue(xml, 'Message')
    const text = [`${this.what} returned ${status}`, code, message].filter(Boolean).join(': ')
    const said = withRemedy(text, this.settings.names, { status, reason: code })
    const isTemporary =
      mayPass(status) ||
      ['InternalError', 'SlowDown', 'RequestTimeout', 'OperationAborted'].includes(code ?? '')
    return isTemporary ? new S3UnavailableError(said, code) : new S3RefusedError(said, status, code)
  }

  /** An address at which anyone can download the object for `seconds`. `query` sets headers of the response. */
  async signedUrl(name: string, seconds: number, query: Record<string, string>): Promise<string> {
    const { origin, hostname, host, protocol, path } = objectAddress(this.settings, name)
    const signed = await this.signer.presign(
      { method: 'GET', protocol, hostname, path, query, headers: { host, ...UNSIGNED_PAYLOAD } },
      { expiresIn: seconds },
    )
    return origin + path + queryText(signed.query as Record<string, string>)
  }

  get what(): string {
    return `the bucket ${this.settings.bucketName}`
  }

  /** Ends requests that are under way. */
  async close(): Promise<void> {
    await this.temporary?.close()
    await this.agent.destroy()
  }

  private async sendSigned(request: S3Request): Promise<S3Response> {
    const { method, query = {}, body, signal } = request
    const { origin, hostname, host, protocol, path } = objectAddress(this.settings, request.name)
    const signed = await this.signer.sign({
      method,
      protocol,
      hostname,
      path,
      query,
      headers: { ...request.headers, host, 'x-amz-content-sha256': await digestOf(body) },
    })
    return this.overNetwork(async () => {
      const source = typeof body === 'object' ? body.open() : (body ?? null)
      try {
        const {
          statusCode,
          headers,
          body: response,
        } = await this.agent.request({
          origin,
          path: path + queryText(query),
          method,
          headers: { ...signed.headers, ...lengthOf(body) },
          body: source,
          signal,
          headersTimeout: request.isSlow ? ASSEMBLY_TIMEOUT : HEADERS_TIMEOUT,
        })
        return { status: statusCode, headers, body: response }
      } finally {
        if (source !== null && typeof source !== 'string') source.destroy()
      }
    })
  }

  private async overNetwork<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (isDiskError(error)) throw error
      const message = withRemedy(
        `${this.what} cannot be reached: ${this.reasonOf(error)}`,
        this.settings.names,
        {},
      )
      throw new S3UnavailableError(message, undefined, { cause: error })
    }
  }

  private reasonOf(error: unknown): string {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    if (!isTimeout) return connectionProblem(error)
    const { timeoutSetting } = this.options
    return `it took too long${timeoutSetting ? ` (${timeoutSetting})` : ''}`
  }
}

const UNSIGNED_PAYLOAD = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }

export function tagOf(response: S3Response): string | undefined {
  return headerOf(response, 'etag')
}

export function headerOf({ headers }: S3Response, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** A range of bytes in a file. `end` is exclusive. */
export function filePart(file: string, start: number, end: number): S3Body {
  return {
    size: end - start,
    open: () => createReadStream(file, { start, end: end - 1, highWaterMark: 256 * 1024 }),
  }
}

async function digestOf(body: S3Request['body']): Promise<string> {
  if (typeof body === 'object' && body.sha256 !== undefined) return body.sha256
  const hash = createHash('sha256')
  if (typeof body === 'string') hash.update(body)
  else if (body) for await (const chunk of body.open()) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function lengthOf(body: S3Request['body']): Record<string, string> {
  if (body === undefined) return {}
  return { 'content-length': String(typeof body === 'string' ? Buffer.byteLength(body) : body.size) }
}

function queryText(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
