import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

import { Hash } from '@smithy/hash-node'
import { SignatureV4 } from '@smithy/signature-v4'
import { type Dispatcher, EnvHttpProxyAgent } from 'undici'

import { readAtMost } from '../../../lib/read-at-most.js'
import { header } from '../../client/http-transport.js'
import { CacheRefusedError, CacheUnavailableError } from '../errors.js'
import { mayPass, overNetwork } from '../with-retries.js'
import { encode, objectAddress, regionOf } from './object-address.js'
import type { S3Settings } from './s3-settings.js'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Name of the object. */
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string | FilePart
  signal: AbortSignal
}

/** A range of bytes in a file. `end` is exclusive. */
export interface FilePart {
  file: string
  start: number
  end: number
}

export interface S3Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Dispatcher.ResponseData['body']
}

const CONNECT_TIMEOUT = 30_000
/**
 * Limit from the end of the request to the start of the response (runner protocol, 8). Joining parts takes longer.
 */
const HEADERS_TIMEOUT = 30_000
const ASSEMBLY_TIMEOUT = 5 * 60_000
const MAX_XML_BYTES = 1024 * 1024

class Sha256 extends Hash {
  constructor(secret?: ConstructorParameters<typeof Hash>[1]) {
    super('sha256', secret)
  }
}

/** Sends signed requests to one bucket (AWS signature, version 4). The signature covers the digest of the body. */
export class S3Client {
  private readonly signer: SignatureV4
  private readonly agent = new EnvHttpProxyAgent({ connect: { timeout: CONNECT_TIMEOUT } })

  constructor(readonly settings: S3Settings) {
    this.signer = new SignatureV4({
      service: 's3',
      region: regionOf(settings),
      credentials: settings.credentials,
      sha256: Sha256,
      uriEscapePath: false,
    })
  }

  /**
   * Returns the response if its status is in `expected`. Throws `CacheUnavailableError` for errors that may be
   * temporary, else `CacheRefusedError` with the message of the server.
   */
  async send(request: S3Request, expected: number[]): Promise<S3Answer> {
    const answer = await this.sendSigned(request)
    if (expected.includes(answer.status)) return answer
    throw refusal(answer.status, await this.textOf(answer))
  }

  /** Reads the XML of a response, up to 1 MiB. */
  async textOf({ body }: S3Answer): Promise<string> {
    return overNetwork(this.what, async () => (await readAtMost(body, MAX_XML_BYTES, 'cut')).toString('utf8'))
  }

  get what(): string {
    return `the bucket ${this.settings.bucketName}`
  }

  private async sendSigned(request: S3Request): Promise<S3Answer> {
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
    return overNetwork(this.what, async () => {
      const source = sourceOf(body)
      try {
        const {
          statusCode,
          headers,
          body: answer,
        } = await this.agent.request({
          origin,
          path: path + queryText(query),
          method,
          headers: { ...signed.headers, ...lengthOf(body) },
          body: source,
          signal,
          headersTimeout: method === 'POST' ? ASSEMBLY_TIMEOUT : HEADERS_TIMEOUT,
        })
        return { status: statusCode, headers, body: answer }
      } finally {
        if (source !== null && typeof source !== 'string') source.destroy()
      }
    })
  }
}

export function tagOf(answer: S3Answer): string | undefined {
  return header(answer, 'etag')
}

/** Reads the first element `name`. Does not parse the rest of the XML. */
export function xmlValue(xml: string, name: string): string | undefined {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return value?.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&')
}

export function refusal(status: number, xml: string): Error {
  const code = xmlValue(xml, 'Code')
  const message = xmlValue(xml, 'Message')
  const said = [`the bucket answered ${status}`, code, message].filter(Boolean).join(': ')
  return mayPass(status) || code === 'InternalError' || code === 'SlowDown'
    ? new CacheUnavailableError(said)
    : new CacheRefusedError(said)
}

async function digestOf(body: S3Request['body']): Promise<string> {
  const hash = createHash('sha256')
  if (typeof body === 'string') hash.update(body)
  else if (body) for await (const chunk of streamOf(body)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function sourceOf(body: S3Request['body']) {
  if (body === undefined || typeof body === 'string') return body ?? null
  return streamOf(body)
}

function streamOf({ file, start, end }: FilePart) {
  return createReadStream(file, { start, end: end - 1, highWaterMark: 256 * 1024 })
}

function lengthOf(body: S3Request['body']): Record<string, string> {
  if (body === undefined) return {}
  return {
    'content-length': String(typeof body === 'string' ? Buffer.byteLength(body) : body.end - body.start),
  }
}

function queryText(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
