import PQueue from 'p-queue'

import { messageOf } from '../lib/errors.js'
import { S3RefusedError } from './errors.js'
import { escapeXml, xmlValue } from './read-xml.js'
import { filePart, headerOf, type S3Body, type S3Client, tagOf } from './s3-client.js'

/** Repeats a request as long as that is worthwhile. */
export type Attempts = <T>(request: (signal: AbortSignal) => Promise<T>) => Promise<T>

export interface UploadTarget {
  name: string
  /** Headers of the object. */
  headers: Record<string, string>
  attempts: Attempts
}

export interface FileUpload extends UploadTarget {
  file: string
  /** Bytes. */
  size: number
  /** Size in bytes. Larger files use larger parts, because S3 allows at most 10,000 parts. */
  partSize: number
}

/** Maximum number of concurrent uploads of parts. */
const PARALLEL = 3
const MAX_PARTS = 10_000
/** Milliseconds. */
const ABORT_TIMEOUT = 30_000

interface Part {
  number: number
  start: number
  end: number
}

/** An object that is sent in parts. It exists only once `complete` succeeds. */
export class MultipartUpload {
  /** By number, from 1. */
  private readonly tags: string[] = []
  private size = 0

  private constructor(
    private readonly client: S3Client,
    private readonly target: UploadTarget,
    private readonly uploadId: string,
  ) {}

  static async begin(client: S3Client, target: UploadTarget): Promise<MultipartUpload> {
    const { name, headers } = target
    const uploadId = await target.attempts(async (signal) => {
      const response = await client.send(
        { method: 'POST', name, headers, query: { uploads: '' }, signal },
        [200],
      )
      const id = xmlValue(await client.readText(response), 'UploadId')
      if (!id) throw new S3RefusedError(`${client.what} did not return an upload ID`)
      return id
    })
    return new MultipartUpload(client, target, uploadId)
  }

  /** Sends a part. Each part can be retried separately. */
  async send(number: number, body: S3Body, attempts: Attempts = this.target.attempts): Promise<void> {
    await attempts(async (signal) => {
      const response = await this.client.send({ method: 'PUT', ...this.part(number), body, signal }, [200])
      await response.body.dump()
      this.tags[number - 1] = tagOf(response) ?? ''
    })
    this.size += body.size
  }

  /** Copies a part of another object of the bucket. `end` is exclusive. */
  async copy(from: string, { number, start, end }: Part): Promise<void> {
    const headers = { 'x-amz-copy-source': from, 'x-amz-copy-source-range': `bytes=${start}-${end - 1}` }
    await this.target.attempts(async (signal) => {
      const request = { method: 'PUT', ...this.part(number), headers, isSlow: true, signal } as const
      const response = await this.client.send(request, [200])
      const xml = await this.client.readText(response)
      const tag = xmlValue(xml, 'ETag')
      if (tag === undefined) throw this.client.refusal(response.status, xml)
      this.tags[number - 1] = tag
    })
    this.size += end - start
  }

  /** Joins the parts. Returns the tag of the object, if the store reports one. */
  async complete(): Promise<string | undefined> {
    const parts = this.tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const { name, attempts } = this.target
    const headers = { 'content-type': 'application/xml' }
    const query = { uploadId: this.uploadId }
    let isFirst = true
    return attempts(async (signal) => {
      const mayBeComplete = !isFirst
      isFirst = false
      const response = await this.client.send(
        { method: 'POST', name, headers, query, body, isSlow: true, signal },
        [200, 404],
      )
      const xml = await this.client.readText(response)
      // The attempt before may have succeeded without its response arriving.
      const known = response.status === 404 && mayBeComplete && (await this.completed(signal))
      if (known) return known.tag
      // A 200 is sent before the parts are joined, so only the body shows whether that succeeded.
      if (response.status !== 200 || /<Error>/.test(xml)) throw this.client.refusal(response.status, xml)
      return xmlValue(xml, 'ETag')
    })
  }

  /**
   * Deletes the uploaded parts, because storage is billed for them. A failure to do so is added to the original
   * error, which is thrown.
   */
  async abort(failure: unknown): Promise<never> {
    const query = { uploadId: this.uploadId }
    const signal = AbortSignal.timeout(ABORT_TIMEOUT)
    const request = { method: 'DELETE', name: this.target.name, query, signal } as const
    try {
      const response = await this.client.send(request, [200, 204, 404])
      await response.body.dump()
    } catch (error) {
      throw new S3RefusedError(
        `${messageOf(failure)}; its uploaded parts remain in the bucket: ${messageOf(error)}`,
        undefined,
        undefined,
        { cause: failure },
      )
    }
    throw failure
  }

  private part(number: number) {
    return { name: this.target.name, query: { partNumber: String(number), uploadId: this.uploadId } }
  }

  /** The object, if it has the size of the parts. */
  private async completed(signal: AbortSignal): Promise<{ tag: string | undefined } | undefined> {
    const response = await this.client.send({ method: 'HEAD', name: this.target.name, signal }, [200, 404])
    await response.body.dump()
    const isIt = response.status === 200 && headerOf(response, 'content-length') === String(this.size)
    return isIt ? { tag: tagOf(response) } : undefined
  }
}

/** Uploads a file in parts, several at a time. If that fails, the uploaded parts are deleted. */
export async function uploadInParts(client: S3Client, upload: FileUpload): Promise<string | undefined> {
  const multipart = await MultipartUpload.begin(client, upload)
  try {
    await sendParts(multipart, upload)
    return await multipart.complete()
  } catch (error) {
    return await multipart.abort(error)
  }
}

/** The parts of a file, in order. All but the last have the same size. */
export function partsOf(size: number, partSize: number): Part[] {
  const bytes = Math.max(partSize, Math.ceil(size / MAX_PARTS))
  return Array.from({ length: Math.ceil(size / bytes) }, (_, index) => ({
    number: index + 1,
    start: index * bytes,
    end: Math.min((index + 1) * bytes, size),
  }))
}

async function sendParts(multipart: MultipartUpload, upload: FileUpload): Promise<void> {
  const failed = new AbortController()
  const queue = new PQueue({ concurrency: PARALLEL })
  // The other parts end when one has failed.
  const attempts: Attempts = (request) =>
    upload.attempts((signal) => {
      failed.signal.throwIfAborted()
      return request(AbortSignal.any([signal, failed.signal]))
    })
  const sent = partsOf(upload.size, upload.partSize).map(({ number, start, end }) =>
    queue.add(() => multipart.send(number, filePart(upload.file, start, end), attempts)),
  )
  try {
    await Promise.all(sent)
  } catch (error) {
    failed.abort()
    queue.clear()
    await queue.onIdle()
    throw error
  }
}
