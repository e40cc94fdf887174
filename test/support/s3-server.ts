import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { bucketSettingNames } from '../../src/coordinator/start/config/storage.js'
import { elementsOf, escapeXml } from '../../src/s3/read-xml.js'
import type { S3Settings } from '../../src/s3/s3-settings.js'
import { onFinished } from './lifetime.js'

export const BUCKET = 'caches'
export const KEY = 'S3RVER'
export const SETTING_NAMES = bucketSettingNames('storage')
const SMALLEST_PART = 5 * 1024 ** 2
/** Milliseconds that the clock of a client may differ. */
const MAX_SKEW = 15 * 60_000

/** A fault in place of the correct response. `cut` closes the connection in the middle of the response body. */
export type S3Misbehaviour = 'cut' | 'cut-body' | 'no-response' | { status: number; body?: string }

export interface S3Call {
  method: string
  /** With the query. */
  url: string
  headers: IncomingMessage['headers']
  size: number
}

interface StoredObject {
  bytes: Buffer
  tag: string
  modifiedAt: Date
  headers: Record<string, string>
}

interface Upload {
  name: string
  initiatedAt: Date
  headers: Record<string, string>
  parts: Map<number, { bytes: Buffer; tag: string }>
}

interface S3Reply {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(reason)
  }
}

/**
 * One S3 bucket in memory. It checks the signature of each request and the digest of its body by the book, and
 * misbehaves on request.
 */
export class S3Server {
  readonly calls: S3Call[] = []
  readonly objects = new Map<string, StoredObject>()
  readonly uploads = new Map<string, Upload>()
  /** Entries in one page of a list. */
  pageSize = 1000
  /** Milliseconds by which the clock of the server is ahead. */
  skew = 0
  /** Session tokens that requests must have one of; undefined = requests have none. */
  sessionTokens: Set<string> | undefined
  /** Refuses everything that changes the bucket. */
  isReadOnly = false
  /** Resolves when the response that was sent last has ended or its connection was closed. */
  lastEnd: Promise<unknown> = Promise.resolve()
  private readonly planned: { matches: (call: S3Call) => boolean; what: S3Misbehaviour }[] = []
  private fault: (() => S3Misbehaviour | undefined) | undefined
  private readonly server: Server

  private constructor() {
    this.server = createServer((incoming, response) => {
      this.handle(incoming, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<S3Server> {
    const s3 = new S3Server()
    s3.server.listen(0, '127.0.0.1')
    await once(s3.server, 'listening')
    onFinished(async () => {
      s3.server.closeAllConnections()
      s3.server.close()
      await once(s3.server, 'close')
    })
    return s3
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`
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
      names: SETTING_NAMES,
      ...changes,
    }
  }

  /** Settings of a coordinator whose table `[storage]` or `[backup]` names this bucket. */
  environment(table: 'STORAGE' | 'BACKUP', prefix: string): Record<string, string> {
    return {
      [`SWITCHYARD_${table}_URL`]: `s3://${BUCKET}/${prefix}`,
      [`SWITCHYARD_${table}_ENDPOINT`]: `http://${this.address}`,
      [`SWITCHYARD_${table}_ACCESS_KEY_ID`]: KEY,
      [`SWITCHYARD_${table}_SECRET_ACCESS_KEY`]: KEY,
    }
  }

  /** Stores an object, as another client does. */
  store(name: string, content: string): void {
    const bytes = Buffer.from(content)
    this.objects.set(name, { bytes, tag: `"${md5(bytes)}"`, modifiedAt: new Date(), headers: {} })
  }

  /** Faults for the next matching calls, one each. */
  misbehave(matches: (call: S3Call) => boolean, ...what: S3Misbehaviour[]): void {
    this.planned.push(...what.map((each) => ({ matches, what: each })))
  }

  /** About `share` of the calls fail from now on, each in another way. `random` returns 0 to 1; 0 as share ends it. */
  failOften(share: number, random: () => number): void {
    const faults: S3Misbehaviour[] = ['cut', 'cut-body', { status: 500 }, { status: 503 }]
    this.fault = () => (random() < share ? faults[Math.floor(random() * faults.length)] : undefined)
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
    const what = index === -1 ? this.fault?.() : this.planned.splice(index, 1)[0]?.what
    if (what === 'cut') return void response.destroy()
    if (what === 'no-response') return
    if (typeof what === 'object') return void response.writeHead(what.status).end(what.body)
    this.lastEnd = once(response, 'close')
    send(response, method, this.respond(incoming, body), what === 'cut-body')
  }

  private respond(incoming: IncomingMessage, body: Buffer): S3Reply {
    try {
      this.authenticate(incoming, body)
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://s3')
      const [bucket, ...name] = pathname.slice(1).split('/').map(decodeURIComponent)
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
      if (this.isReadOnly && !['GET', 'HEAD'].includes(incoming.method ?? ''))
        throw new Refusal(403, 'AccessDenied')
      const request = { incoming, body, name: name.join('/'), query: searchParams }
      return request.name === '' ? this.onBucket(request) : this.onObject(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: `<Error><Code>${error.reason}</Code></Error>` }
    }
  }

  private authenticate(incoming: IncomingMessage, body: Buffer): void {
    const given = incoming.headers.authorization
    const query = new URL(incoming.url ?? '', 'http://s3').searchParams
    const credential = /Credential=([^/]+)\//.exec(given ?? '')?.[1] ?? query.get('X-Amz-Credential')
    if (credential?.split('/')[0] !== KEY) throw new Refusal(403, 'InvalidAccessKeyId')
    const token = incoming.headers['x-amz-security-token'] ?? query.get('X-Amz-Security-Token')
    if (this.sessionTokens && !this.sessionTokens.has(String(token))) throw new Refusal(400, 'ExpiredToken')
    const date = timeOf(String(incoming.headers['x-amz-date'] ?? query.get('X-Amz-Date')))
    const age = Date.now() + this.skew - date
    if (Math.abs(age) > MAX_SKEW) throw new Refusal(403, 'RequestTimeTooSkewed')
    if (given === undefined && age > Number(query.get('X-Amz-Expires')) * 1000)
      throw new Refusal(403, 'AccessDenied')
    const signature = /Signature=(\w+)$/.exec(given ?? '')?.[1] ?? query.get('X-Amz-Signature')
    if (signatureOf(incoming) !== signature) throw new Refusal(403, 'SignatureDoesNotMatch')
    const digest = incoming.headers['x-amz-content-sha256']
    if (given !== undefined && digest !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  }

  private onBucket({ incoming: { method, headers }, body, query }: S3Request): S3Reply {
    if (method === 'GET' && query.get('list-type') === '2') return this.listObjects(query)
    if (method === 'GET' && query.has('uploads')) return this.listUploads(query)
    if (method === 'POST' && query.has('delete')) {
      if (headers['content-md5'] !== createHash('md5').update(body).digest('base64'))
        throw new Refusal(400, 'BadDigest')
      for (const { Key = '' } of elementsOf(body.toString(), 'Object')) this.objects.delete(Key)
      return { status: 200, body: '<DeleteResult></DeleteResult>' }
    }
    throw new Refusal(405, 'MethodNotAllowed')
  }

  private listObjects(query: URLSearchParams): S3Reply {
    const after = query.get('continuation-token') ?? ''
    const names = [...this.objects.keys()]
      .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after)
      .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    const page = names.slice(0, Math.min(this.pageSize, Number(query.get('max-keys') ?? 1000)))
    const contents = page.map((name) => {
      const { bytes, tag, modifiedAt } = this.objects.get(name)!
      return `<Contents><Key>${escapeXml(name)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${escapeXml(tag)}</ETag><Size>${bytes.length}</Size></Contents>`
    })
    const isCut = page.length < names.length
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return {
      status: 200,
      body: `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    }
  }

  private listUploads(query: URLSearchParams): S3Reply {
    const marker = `${query.get('key-marker') ?? ''}\n${query.get('upload-id-marker') ?? ''}`
    const all = [...this.uploads]
      .filter(([id, { name }]) => name.startsWith(query.get('prefix') ?? '') && `${name}\n${id}` > marker)
      .toSorted(([one, { name }], [other, { name: otherName }]) =>
        `${name}\n${one}` < `${otherName}\n${other}` ? -1 : 1,
      )
    const page = all.slice(0, this.pageSize)
    const [lastId, last] = page.at(-1) ?? []
    const uploads = page.map(
      ([id, { name, initiatedAt }]) =>
        `<Upload><Key>${escapeXml(name)}</Key><UploadId>${id}</UploadId><Initiated>${initiatedAt.toISOString()}</Initiated></Upload>`,
    )
    const next = last
      ? `<NextKeyMarker>${last.name}</NextKeyMarker><NextUploadIdMarker>${lastId}</NextUploadIdMarker>`
      : ''
    return {
      status: 200,
      body: `<ListMultipartUploadsResult><IsTruncated>${page.length < all.length}</IsTruncated>${next}${uploads.join('')}</ListMultipartUploadsResult>`,
    }
  }

  private onObject(request: S3Request): S3Reply {
    const { incoming, body, name, query } = request
    const uploadId = query.get('uploadId')
    switch (incoming.method) {
      case 'PUT':
        if (uploadId !== null) return this.putPart(request, uploadId)
        return this.put(request)
      case 'POST':
        if (query.has('uploads')) return this.beginUpload(request)
        return this.complete(name, uploadId ?? '', body.toString())
      case 'DELETE':
        if (uploadId !== null) {
          if (!this.uploads.delete(uploadId)) throw new Refusal(404, 'NoSuchUpload')
        } else this.objects.delete(name)
        return { status: 204 }
      default:
        return this.get(request)
    }
  }

  private put({ incoming, body, name }: S3Request): S3Reply {
    const from = this.copySource(incoming)
    const bytes = from?.bytes ?? body
    const tag = `"${md5(bytes)}"`
    const headers = from?.headers ?? keptHeaders(incoming)
    this.objects.set(name, { bytes, tag, modifiedAt: new Date(), headers })
    if (!from) return { status: 200, headers: { etag: tag } }
    return { status: 200, body: `<CopyObjectResult><ETag>${escapeXml(tag)}</ETag></CopyObjectResult>` }
  }

  private putPart({ incoming, body, query }: S3Request, uploadId: string): S3Reply {
    const upload = this.upload(uploadId)
    const from = this.copySource(incoming)
    const [start, end] = rangeOf(
      String(incoming.headers['x-amz-copy-source-range'] ?? ''),
      from?.bytes.length,
    )
    const bytes = from ? from.bytes.subarray(start, end + 1) : body
    const tag = `"${md5(bytes)}"`
    upload.parts.set(Number(query.get('partNumber')), { bytes, tag })
    if (!from) return { status: 200, headers: { etag: tag } }
    return { status: 200, body: `<CopyPartResult><ETag>${escapeXml(tag)}</ETag></CopyPartResult>` }
  }

  private beginUpload({ incoming, name }: S3Request): S3Reply {
    const id = randomUUID()
    const upload = { name, initiatedAt: new Date(), headers: keptHeaders(incoming), parts: new Map() }
    this.uploads.set(id, upload)
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    }
  }

  private complete(name: string, uploadId: string, xml: string): S3Reply {
    const { parts, headers } = this.upload(uploadId)
    const listed = elementsOf(xml, 'Part').map(({ PartNumber, ETag }) => {
      const part = parts.get(Number(PartNumber))
      if (!part || part.tag !== ETag) throw new Refusal(400, 'InvalidPart')
      return part
    })
    if (listed.length === 0) throw new Refusal(400, 'MalformedXML')
    if (listed.slice(0, -1).some(({ bytes }) => bytes.length < SMALLEST_PART))
      throw new Refusal(400, 'EntityTooSmall')
    const bytes = Buffer.concat(listed.map((part) => part.bytes))
    const tag = `"${md5(Buffer.concat(listed.map((part) => Buffer.from(part.tag))))}-${listed.length}"`
    this.objects.set(name, { bytes, tag, modifiedAt: new Date(), headers })
    this.uploads.delete(uploadId)
    return {
      status: 200,
      body: `<CompleteMultipartUploadResult><ETag>${escapeXml(tag)}</ETag></CompleteMultipartUploadResult>`,
    }
  }

  private get({ incoming, name, query }: S3Request): S3Reply {
    const object = this.objects.get(name)
    if (!object) throw new Refusal(404, 'NoSuchKey')
    const { bytes, tag, headers, modifiedAt } = object
    const { range, 'if-match': match, 'if-none-match': noneMatch } = incoming.headers
    if (match !== undefined && match !== tag) throw new Refusal(412, 'PreconditionFailed')
    if (noneMatch === tag) return { status: 304, headers: { etag: tag } }
    const overrides = Object.fromEntries(
      [...query]
        .filter(([parameter]) => parameter.startsWith('response-'))
        .map(([parameter, value]) => [parameter.slice('response-'.length), value]),
    )
    const sent = { ...headers, ...overrides, etag: tag, 'last-modified': modifiedAt.toUTCString() }
    if (range === undefined) return { status: 200, headers: sent, body: bytes }
    const [start, end] = rangeOf(range, bytes.length)
    if (start >= bytes.length) throw new Refusal(416, 'InvalidRange')
    const contentRange = `bytes ${start}-${end}/${bytes.length}`
    return {
      status: 206,
      headers: { ...sent, 'content-range': contentRange },
      body: bytes.subarray(start, end + 1),
    }
  }

  private upload(id: string): Upload {
    const upload = this.uploads.get(id)
    if (!upload) throw new Refusal(404, 'NoSuchUpload')
    return upload
  }

  private copySource({ headers }: IncomingMessage): StoredObject | undefined {
    const source = headers['x-amz-copy-source']
    if (source === undefined) return undefined
    const [, bucket, ...name] = decodeURIComponent(String(source)).split('/')
    const object = bucket === BUCKET ? this.objects.get(name.join('/')) : undefined
    if (!object) throw new Refusal(404, 'NoSuchKey')
    return object
  }
}

interface S3Request {
  incoming: IncomingMessage
  body: Buffer
  name: string
  query: URLSearchParams
}

function send(response: ServerResponse, method: string, reply: S3Reply, isCut: boolean): void {
  const body = Buffer.from(reply.body ?? '')
  const hasBody = reply.status !== 204 && reply.status !== 304
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(hasBody && { 'content-length': String(body.length) }),
  })
  if (method === 'HEAD' || !hasBody) response.end()
  else if (isCut && body.length > 1)
    response.write(body.subarray(0, body.length / 2), () => response.destroy())
  else response.end(body)
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type')
      .map(([name, value]) => [name, String(value)]),
  )
}

/** Both inclusive. */
function rangeOf(header: string, size = 0): [number, number] {
  const [, start = '0', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(header) ?? []
  return [Number(start), end === '' ? size - 1 : Math.min(Number(end), size - 1)]
}

/** AWS signature version 4 of the received request: of its header, or of the address. */
function signatureOf({ method, url = '', headers }: IncomingMessage): string {
  const [path, text = ''] = url.split('?')
  const query = text.split('&').filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
  const parameters = new URLSearchParams(text)
  const given =
    headers.authorization ??
    `Credential=${parameters.get('X-Amz-Credential')}, SignedHeaders=${parameters.get('X-Amz-SignedHeaders')}`
  const [, date = '', region = '', signedNames = ''] =
    /Credential=[^/]+\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+)/.exec(given) ?? []
  const names = signedNames.split(';')
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!mustBeSigned.every((name) => names.includes(name))) return 'a header is not signed'
  const canonical = [
    method,
    path,
    query.sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedNames,
    headers['x-amz-content-sha256'] ?? parameters.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const time = headers['x-amz-date'] ?? parameters.get('X-Amz-Date')
  const signed = `AWS4-HMAC-SHA256\n${String(time)}\n${scope}\n${sha256(canonical)}`
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${KEY}`)
  return hmac(key, signed).toString('hex')
}

/** `20261126T080000Z`. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex')
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
