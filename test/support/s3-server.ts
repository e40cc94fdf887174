import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

import S3rver from 's3rver'

import type { S3Settings } from '../../src/runner/cache/s3/s3-settings.js'
import { onFinished } from './lifetime.js'
import { tempDir } from './temp-dir.js'

export const BUCKET = 'caches'
const KEY = 'S3RVER'

/** A fault in place of the correct response. `cut` closes the connection in the middle of the response body. */
export type S3Misbehaviour = 'cut' | 'cut-body' | { status: number; body?: string }

export interface S3Call {
  method: string
  /** With the query. */
  url: string
  headers: IncomingMessage['headers']
  size: number
}

/**
 * A real S3 server behind one that checks each signature by the book, that of the payload included, and that
 * misbehaves on request. The S3 server itself takes any signature of this version.
 */
export class S3Server {
  readonly calls: S3Call[] = []
  private readonly planned: { matches: (call: S3Call) => boolean; what: S3Misbehaviour }[] = []
  private readonly front: Server

  private constructor(private readonly backPort: number) {
    this.front = createServer((incoming, response) => {
      this.handle(incoming, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<S3Server> {
    const back = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: await tempDir(),
      configureBuckets: [{ name: BUCKET, configs: [] }],
    })
    const { port } = await back.run()
    const server = new S3Server(port)
    server.front.listen(0, '127.0.0.1')
    await once(server.front, 'listening')
    onFinished(async () => {
      server.front.closeAllConnections()
      server.front.close()
      await once(server.front, 'close')
      await back.close()
    })
    return server
  }

  get address(): string {
    return `127.0.0.1:${(this.front.address() as AddressInfo).port}`
  }

  settings(changes: Partial<S3Settings> = {}): S3Settings {
    return {
      serverAddress: this.address,
      bucketName: BUCKET,
      bucketLocation: undefined,
      credentials: { accessKeyId: KEY, secretAccessKey: KEY },
      isInsecure: true,
      pathStyle: undefined,
      isDualStack: true,
      isAccelerated: false,
      encryption: undefined,
      ...changes,
    }
  }

  /** Faults for the next matching calls, one each. */
  misbehave(matches: (call: S3Call) => boolean, ...what: S3Misbehaviour[]): void {
    this.planned.push(...what.map((each) => ({ matches, what: each })))
  }

  callsOf(method: string): S3Call[] {
    return this.calls.filter((call) => call.method === method)
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming)
    const { method = '', url = '', headers } = incoming
    const call = { method, url, headers, size: body.length }
    this.calls.push(call)
    const index = this.planned.findIndex(({ matches }) => matches(call))
    const what = index === -1 ? undefined : this.planned.splice(index, 1)[0]?.what
    if (what === 'cut') response.destroy()
    else if (what !== undefined && what !== 'cut-body') response.writeHead(what.status).end(what.body)
    else if (signatureOf(incoming, body) !== /Signature=(\w+)$/.exec(headers.authorization ?? '')?.[1]) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    } else await this.forward(incoming, body, response, what === 'cut-body')
  }

  private async forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    isCut: boolean,
  ): Promise<void> {
    const forwarded = request({
      host: '127.0.0.1',
      port: this.backPort,
      method,
      path: url,
      headers,
      agent: false,
    })
    forwarded.end(body)
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    if (isCut) {
      const [chunk] = (await once(answer, 'data')) as [Buffer]
      response.write(chunk.subarray(0, chunk.length / 2), () => response.destroy())
      forwarded.destroy()
    } else await pipeline(answer, response)
  }
}

/** AWS signature version 4 of the received request. */
function signatureOf({ method, url = '', headers }: IncomingMessage, body: Buffer): string {
  const [, date = '', region = '', signedNames = ''] =
    /Credential=[^/]+\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  const [path, query = ''] = url.split('?')
  const payload = sha256(body)
  const names = signedNames.split(';')
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!mustBeSigned.every((name) => names.includes(name))) return 'a header is not signed'
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedNames,
    payload,
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${sha256(canonical)}`
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${KEY}`)
  return hmac(key, text).toString('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
