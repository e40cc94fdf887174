import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { retry } from '../../../../lib/retry.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { S3RefusedError, S3UnavailableError } from '../../../../s3/errors.js'
import {
  type Attempts,
  MultipartUpload,
  partsOf,
  uploadInParts,
  type UploadTarget,
} from '../../../../s3/multipart-upload.js'
import { encode } from '../../../../s3/object-address.js'
import { elementsOf, escapeXml, xmlValue } from '../../../../s3/read-xml.js'
import { filePart, headerOf, S3Client, type S3Response, tagOf } from '../../../../s3/s3-client.js'
import type { S3Settings } from '../../../../s3/s3-settings.js'
import { checkBlobKey, isBlobKey } from '../blob-key.js'
import type {
  BlobStore,
  ByteRange,
  DownloadHeaders,
  ExpectedBlob,
  ListedBlob,
  StoredBlob,
} from '../blob-store.js'
import { ComparedBytes, sizeDifference } from '../compared-bytes.js'
import { BlobMissingError, DifferentBlobError } from '../errors.js'
import { Measure } from '../measure.js'
import { ObjectStream } from './object-stream.js'
import { SpooledPart } from './spooled-part.js'

export interface S3BlobStoreOptions {
  bucket: S3Settings
  /** Precedes the key in the name of each object; without slashes at its ends. May be empty. */
  prefix: string
  /** Holds parts of uploads that are under way. */
  spoolFolder: string
  /** Whether clients may download from the bucket itself. */
  isDirect?: boolean
  /** Bytes of a part of a multipart upload. S3 allows parts of 5 MiB to 5 GiB, and 10,000 parts. */
  partSize?: number
  /** Objects above this size are copied in parts. The limit of S3 is 5 GiB. */
  largestCopy?: number
  /** Milliseconds before a failed request is repeated for the first time. */
  retryDelay?: number
}

const PART_SIZE = 32 * 1024 ** 2
const COPY_PART_SIZE = 512 * 1024 ** 2
const MAX_COPY_BYTES = 5 * 1024 ** 3
/** Objects in one request. */
const BATCH = 1000

/** Attempts for one request, including the first. */
const ATTEMPTS = 5
/** Milliseconds before the second attempt, doubled for each further one. */
const RETRY_DELAY = 200
/** Milliseconds for one request, without the bytes of a download. A part of 32 MiB takes this long at 100 KB/s. */
const REQUEST_TIMEOUT = 6 * MINUTE

/** Outside of the keys of blobs, whose segments do not start with a dot. */
const OWNER = '.switchyard-owner'
const INSTALLATION = '.switchyard-installation'

const OBJECT_HEADERS = { 'content-type': 'application/octet-stream' }

/**
 * Stores blobs as objects of a bucket. The store checks each request by its SHA-256 digest. A larger blob is sent in
 * parts while it arrives. An object is visible only once it is complete.
 */
export class S3BlobStore implements BlobStore {
  private readonly client: S3Client
  private readonly partSize: number
  private readonly attempts: Attempts

  constructor(private readonly options: S3BlobStoreOptions) {
    this.client = new S3Client(options.bucket)
    this.partSize = options.partSize ?? PART_SIZE
    const delay = options.retryDelay ?? RETRY_DELAY
    this.attempts = (request) =>
      retry(() => request(AbortSignal.timeout(REQUEST_TIMEOUT)), {
        attempts: ATTEMPTS,
        delay,
        maximumDelay: 16 * delay,
        isWorthRetrying: (error) => error instanceof S3UnavailableError,
      })
  }

  async write(key: string, body: Readable, maxBytes = Infinity): Promise<StoredBlob> {
    const target = this.target(key)
    // Until the pipeline attaches its listener, an error of `body` would be unhandled and end the process.
    body.on('error', () => undefined)
    const measure = new Measure(maxBytes)
    await pipeline(body, measure, (bytes: AsyncIterable<Buffer>) => this.send(target, bytes))
    return measure.result()
  }

  async storeFile(key: string, file: string): Promise<void> {
    const target = this.target(key)
    const { size } = await stat(file)
    if (size > this.partSize) {
      await uploadInParts(this.client, { ...target, file, size, partSize: this.partSize })
    } else await this.put(target, size === 0 ? '' : filePart(file, 0, size))
  }

  async copy(from: string, to: string): Promise<void> {
    const target = this.target(to)
    const { size } = (await this.find(from)) ?? missing(from)
    const source = `/${this.options.bucket.bucketName}/${this.nameOf(from)}`.split('/').map(encode).join('/')
    if (size > (this.options.largestCopy ?? MAX_COPY_BYTES)) return this.copyInParts(source, size, target)
    await this.attempts(async (signal) => {
      const headers = { 'x-amz-copy-source': source }
      const { name } = target
      const response = await this.client.send(
        { method: 'PUT', name, headers, isSlow: true, signal },
        [200, 404],
      )
      const xml = await this.client.readText(response)
      if (response.status === 404 && xmlValue(xml, 'Code') === 'NoSuchKey') missing(from)
      // A 200 is sent before the bytes are copied.
      if (response.status !== 200 || xmlValue(xml, 'ETag') === undefined)
        throw this.client.refusal(response.status, xml)
    })
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const first = await this.get(key, range)
    return first ? new ObjectStream(first.body, this.restOf(key, first, range)) : Readable.from([])
  }

  async readWhole(key: string, expected: ExpectedBlob): Promise<Readable> {
    const first = await this.get(key)
    // Without a range, there is always a response.
    if (!first) missing(key)
    const failure = (difference: string) => this.different(key, difference)
    const bytes = new ComparedBytes(expected)
    const whole = new ObjectStream(first.body, this.restOf(key, first), { bytes, failure })
    const length = headerOf(first, 'content-length')
    if (length === undefined || Number(length) === expected.size) return whole
    whole.destroy()
    throw failure(sizeDifference(Number(length), expected))
  }

  async readPart(key: string, range: ByteRange, expected: ExpectedBlob): Promise<Readable> {
    const first = await this.get(key, range)
    // Without a response, the blob ends before the range.
    const size = first && sizeOfWhole(first)
    const part = first && new ObjectStream(first.body, this.restOf(key, first, range))
    if (part && (size === undefined || size === expected.size)) return part
    part?.destroy()
    throw this.different(key, sizeDifference(size ?? (await this.find(key))?.size ?? 0, expected))
  }

  async exists(key: string): Promise<boolean> {
    return (await this.find(key)) !== undefined
  }

  async delete(key: string): Promise<void> {
    const name = this.nameOf(key)
    await this.request({ method: 'DELETE', name }, [200, 204, 404])
  }

  async deleteBelow(folder: string): Promise<void> {
    for await (const page of this.pages(`${this.nameOf(folder)}/`)) {
      await this.deleteObjects(page.map(({ name }) => name))
    }
  }

  async *list(folder?: string): AsyncGenerator<ListedBlob> {
    const root = this.options.prefix === '' ? '' : `${this.options.prefix}/`
    for await (const page of this.pages(folder === undefined ? root : `${this.nameOf(folder)}/`)) {
      for (const { name, ...facts } of page) {
        const key = name.slice(root.length)
        // Not a blob: the owner, or what somebody else put there.
        if (isBlobKey(key)) yield { key, ...facts }
      }
    }
  }

  async find(key: string): Promise<ListedBlob | undefined> {
    const name = this.nameOf(key)
    const response = await this.request({ method: 'HEAD', name }, [200, 404])
    if (response.status === 404) return undefined
    return {
      key,
      size: Number(headerOf(response, 'content-length')),
      // A blob without a time counts as new, so that it is not deleted.
      modifiedAt: new Date(headerOf(response, 'last-modified') ?? Date.now()),
      tag: tagOf(response) ?? '',
    }
  }

  /** Aborts uploads of killed coordinators: their parts are billed, although there is no object. */
  async deleteAbandoned(olderThan: Date): Promise<void> {
    for await (const { Key: name = '', UploadId: uploadId = '', Initiated = '' } of this.listUploads()) {
      if (!(new Date(Initiated) < olderThan)) continue
      await this.request({ method: 'DELETE', name, query: { uploadId } }, [200, 204, 404])
    }
  }

  /** The object is read after it was written, so that of two first owners one remains. */
  async claim(owner: string, isForced = false): Promise<boolean> {
    const name = this.named(OWNER)
    const known = isForced ? undefined : await this.readText(name)
    if (known !== undefined) return known === owner
    await this.putText(name, owner)
    return (await this.readText(name)) === owner
  }

  async marks(): Promise<string[]> {
    const installation = await this.readText(this.named(INSTALLATION))
    return installation === undefined ? [] : [installation]
  }

  async mark(installation: string | undefined): Promise<void> {
    const name = this.named(INSTALLATION)
    if (installation === undefined) await this.request({ method: 'DELETE', name }, [200, 204, 404])
    else await this.putText(name, installation)
  }

  async downloadUrl(key: string, seconds: number, headers: DownloadHeaders): Promise<string | undefined> {
    if (!this.options.isDirect) return undefined
    return this.client.signedUrl(this.nameOf(key), seconds, {
      'response-content-type': headers.contentType,
      'response-content-disposition': headers.contentDisposition,
      'response-cache-control': 'no-store',
    })
  }

  async close(): Promise<void> {
    await this.client.close()
  }

  /** Sends what arrives: small bodies at once, others in parts, each while the next one is collected. */
  private async send(target: UploadTarget, bytes: AsyncIterable<Buffer>): Promise<void> {
    let upload: MultipartUpload | undefined
    let sending: Promise<void> = Promise.resolve()
    let part = new SpooledPart(this.options.spoolFolder)
    let number = 1
    const sendPart = async (current: MultipartUpload, full: SpooledPart, at: number) => {
      try {
        await current.send(at, full.body())
      } finally {
        await full.discard()
      }
    }
    try {
      for await (const chunk of bytes) {
        for (let done = 0; done < chunk.length;) {
          if (part.size === this.partSize) {
            upload ??= await MultipartUpload.begin(this.client, target)
            await sending
            sending = sendPart(upload, part, number++)
            // It is awaited later.
            sending.catch(() => undefined)
            part = new SpooledPart(this.options.spoolFolder)
          }
          const next = chunk.subarray(done, done + this.partSize - part.size)
          await part.add(next)
          done += next.length
        }
      }
      await sending
      if (upload) {
        await upload.send(number, part.body())
        await upload.complete()
      } else await this.put(target, part.body())
    } catch (error) {
      await sending.catch(() => undefined)
      if (upload) return await upload.abort(error)
      throw error
    } finally {
      await part.discard()
    }
  }

  private async putText(name: string, text: string): Promise<void> {
    await this.put({ name, headers: { 'content-type': 'text/plain' }, attempts: this.attempts }, text)
  }

  private async put({ name, headers }: UploadTarget, body: Parameters<S3Client['send']>[0]['body']) {
    await this.request({ method: 'PUT', name, headers, body }, [200])
  }

  private async copyInParts(source: string, size: number, target: UploadTarget): Promise<void> {
    const upload = await MultipartUpload.begin(this.client, target)
    try {
      const partSize = Math.min(COPY_PART_SIZE, this.options.largestCopy ?? MAX_COPY_BYTES)
      for (const part of partsOf(size, partSize)) await upload.copy(source, part)
      await upload.complete()
    } catch (error) {
      await upload.abort(error)
    }
  }

  private different(key: string, difference: string): DifferentBlobError {
    return new DifferentBlobError(`The object ${this.nameOf(key)} in ${this.client.what}`, difference)
  }

  /** The start of a response with the bytes; undefined if the blob has none in the range. */
  private async get(
    key: string,
    range?: { start: number; end?: number | undefined },
    headers: Record<string, string> = {},
  ): Promise<S3Response | undefined> {
    const name = this.nameOf(key)
    const wanted = range && { range: `bytes=${range.start}-${range.end ?? ''}` }
    if (range?.end !== undefined && range.end < range.start) return undefined
    const response = await this.attempts(async () => {
      // The bytes are read for as long as the reader takes, so only the start of the response has a limit.
      const signal = new AbortController().signal
      const request = { method: 'GET', name, headers: { ...headers, ...wanted }, signal } as const
      return this.client.send(request, [200, 206, 404, 416])
    })
    if (response.status === 404) {
      const xml = await this.client.readText(response)
      if (xmlValue(xml, 'Code') === 'NoSuchBucket') throw this.client.refusal(response.status, xml)
      missing(key)
    }
    if (response.status !== 416) return response
    await response.body.dump()
    return undefined
  }

  /** Requests the bytes of a blob from a position on, if it is still the blob of the first response. */
  private restOf(key: string, first: S3Response, range?: ByteRange): (position: number) => Promise<Readable> {
    const tag = tagOf(first)
    return async (position) => {
      const rest = { start: (range?.start ?? 0) + position, end: range?.end }
      const next = await this.get(key, rest, tag === undefined ? {} : { 'if-match': tag })
      return next?.body ?? Readable.from([])
    }
  }

  /** Undefined if there is no such object. */
  private readText(name: string): Promise<string | undefined> {
    return this.attempts(async (signal) => {
      const response = await this.client.send({ method: 'GET', name, signal }, [200, 404])
      const text = await this.client.readText(response)
      if (response.status === 200) return text
      if (xmlValue(text, 'Code') === 'NoSuchBucket') throw this.client.refusal(response.status, text)
      return undefined
    })
  }

  /** Sends a request whose response has no body of interest. */
  private request(
    request: Omit<Parameters<S3Client['send']>[0], 'signal'>,
    expected: number[],
  ): Promise<S3Response> {
    return this.attempts(async (signal) => {
      const response = await this.client.send({ ...request, signal }, expected)
      await response.body.dump()
      return response
    })
  }

  /** Objects whose name starts with `prefix`. */
  private async *pages(prefix: string): AsyncGenerator<ListedObject[]> {
    for (let token: string | undefined; ;) {
      const query = {
        'list-type': '2',
        'max-keys': String(BATCH),
        prefix,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const xml = await this.bucketXml({ method: 'GET', query })
      yield elementsOf(xml, 'Contents').map((element) => ({
        name: element['Key'] ?? '',
        size: Number(element['Size']),
        modifiedAt: new Date(element['LastModified'] ?? Date.now()),
        tag: element['ETag'] ?? '',
      }))
      token = xmlValue(xml, 'NextContinuationToken')
      if (xmlValue(xml, 'IsTruncated') !== 'true' || token === undefined) return
    }
  }

  private async *listUploads(): AsyncGenerator<Record<string, string>> {
    const prefix = this.options.prefix === '' ? '' : `${this.options.prefix}/`
    for (let markers: Record<string, string> = {}; ;) {
      const xml = await this.bucketXml({ method: 'GET', query: { uploads: '', prefix, ...markers } })
      yield* elementsOf(xml, 'Upload')
      const key = xmlValue(xml, 'NextKeyMarker')
      const id = xmlValue(xml, 'NextUploadIdMarker')
      if (xmlValue(xml, 'IsTruncated') !== 'true' || key === undefined || id === undefined) return
      markers = { 'key-marker': key, 'upload-id-marker': id }
    }
  }

  private async deleteObjects(names: string[]): Promise<void> {
    if (names.length === 0) return
    const objects = names.map((name) => `<Object><Key>${escapeXml(name)}</Key></Object>`)
    const body = `<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`
    const md5 = createHash('md5').update(body).digest('base64')
    const headers = { 'content-type': 'application/xml', 'content-md5': md5 }
    const xml = await this.bucketXml({ method: 'POST', query: { delete: '' }, headers, body })
    const [failed] = elementsOf(xml, 'Error')
    if (failed) {
      const { Key = '', Code, Message } = failed
      throw new S3RefusedError(`${this.client.what} did not delete ${Key}: ${Message ?? Code}`, 200, Code)
    }
  }

  private bucketXml(
    request: Pick<Parameters<S3Client['send']>[0], 'method' | 'query' | 'headers' | 'body'>,
  ): Promise<string> {
    return this.attempts(async (signal) =>
      this.client.readText(await this.client.send({ ...request, name: '', signal }, [200])),
    )
  }

  private target(key: string): UploadTarget {
    return { name: this.nameOf(key), headers: OBJECT_HEADERS, attempts: this.attempts }
  }

  private nameOf(key: string): string {
    checkBlobKey(key)
    return this.named(key)
  }

  private named(path: string): string {
    return this.options.prefix === '' ? path : `${this.options.prefix}/${path}`
  }
}

/** Bytes of the object whose part, or the whole of which, a response has; undefined if it does not say. */
function sizeOfWhole(response: S3Response): number | undefined {
  const of = response.status === 206 ? headerOf(response, 'content-range')?.split('/')[1] : undefined
  const size = response.status === 206 ? of : headerOf(response, 'content-length')
  return size === undefined || size === '*' ? undefined : Number(size)
}

type ListedObject = Omit<ListedBlob, 'key'> & { name: string }

function missing(key: string): never {
  throw new BlobMissingError(key)
}
