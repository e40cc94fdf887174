import PQueue from 'p-queue'

import { messageOf } from '../../../lib/errors.js'
import type { CacheArchive, Transfer } from '../cache-store.js'
import { CacheRefusedError } from '../errors.js'
import { withRetries } from '../with-retries.js'
import { refusal, type S3Client, tagOf, xmlValue } from './s3-client.js'

export interface MultipartUpload {
  name: string
  /** Headers of the object. */
  headers: Record<string, string>
  archive: Pick<CacheArchive, 'file' | 'size'>
  /** Size in bytes. Larger archives use larger parts, because S3 allows at most 10,000 parts. */
  partSize: number
  transfer: Transfer
}

/** Maximum number of concurrent uploads of parts. */
const PARALLEL = 3
const MAX_PARTS = 10_000

interface Part {
  number: number
  start: number
  end: number
}

/**
 * Uploads an archive in parts. Each part can be retried separately. The object changes only when the last step
 * succeeds. If the upload fails, the uploaded parts are deleted.
 */
export async function uploadInParts(client: S3Client, upload: MultipartUpload): Promise<string | undefined> {
  const uploadId = await begin(client, upload)
  try {
    const tags = await sendParts(client, upload, uploadId)
    return await complete(client, upload, uploadId, tags)
  } catch (error) {
    await abortUpload(client, upload, uploadId, error)
    throw error
  }
}

/** The parts of an archive, in order. All but the last have the same size. */
export function partsOf(size: number, partSize: number): Part[] {
  const bytes = Math.max(partSize, Math.ceil(size / MAX_PARTS))
  return Array.from({ length: Math.ceil(size / bytes) }, (_, index) => ({
    number: index + 1,
    start: index * bytes,
    end: Math.min((index + 1) * bytes, size),
  }))
}

async function begin(client: S3Client, { name, headers, transfer }: MultipartUpload): Promise<string> {
  return withRetries(transfer, async (signal) => {
    const request = { method: 'POST', name, headers, query: { uploads: '' }, signal } as const
    const answer = await client.send(request, [200])
    const uploadId = xmlValue(await client.textOf(answer), 'UploadId')
    if (!uploadId) throw new CacheRefusedError('the bucket did not return an upload ID')
    return uploadId
  })
}

/** Uploads the parts and returns their tags, in order. */
async function sendParts(client: S3Client, upload: MultipartUpload, uploadId: string): Promise<string[]> {
  const { name, archive, partSize } = upload
  const failed = new AbortController()
  const signal = AbortSignal.any([upload.transfer.signal, failed.signal])
  const queue = new PQueue({ concurrency: PARALLEL })
  const sendPart = ({ number, start, end }: Part): Promise<string> =>
    withRetries({ ...upload.transfer, signal }, async (requestSignal) => {
      const query = { partNumber: String(number), uploadId }
      const body = { file: archive.file, start, end }
      const answer = await client.send({ method: 'PUT', name, query, body, signal: requestSignal }, [200])
      await answer.body.dump()
      return tagOf(answer) ?? ''
    })
  const sent = partsOf(archive.size, partSize).map((part) => queue.add(() => sendPart(part)))
  try {
    return await Promise.all(sent)
  } catch (error) {
    failed.abort()
    queue.clear()
    await queue.onIdle()
    throw error
  }
}

async function complete(
  client: S3Client,
  { name, transfer }: MultipartUpload,
  uploadId: string,
  tags: string[],
): Promise<string | undefined> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  return withRetries(transfer, async (signal) => {
    const headers = { 'content-type': 'application/xml' }
    const request = { method: 'POST', name, headers, query: { uploadId }, body, signal } as const
    const answer = await client.send(request, [200])
    const xml = await client.textOf(answer)
    // A 200 is sent before the parts are joined, so only the body shows whether that succeeded.
    if (/<Error>/.test(xml)) throw refusal(answer.status, xml)
    return xmlValue(xml, 'ETag')
  })
}

/**
 * Deletes the uploaded parts, because storage is billed for them. A failure to do so is added to the original
 * error.
 */
async function abortUpload(
  client: S3Client,
  { name, transfer }: MultipartUpload,
  uploadId: string,
  failure: unknown,
): Promise<void> {
  const signal = AbortSignal.timeout(transfer.timeout)
  try {
    const answer = await client.send({ method: 'DELETE', name, query: { uploadId }, signal }, [200, 204, 404])
    await answer.body.dump()
  } catch (error) {
    throw new CacheRefusedError(
      `${messageOf(failure)}; its uploaded parts remain in the bucket: ${messageOf(error)}`,
      { cause: failure },
    )
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
