import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { parseUploadOffset, UPLOAD_OFFSET_HEADER } from '../../protocol/resumable-upload.js'
import { header, messageIn } from '../client/answers.js'
import { artifactQuery, type CoordinatorClient, type JobIdentity } from '../client/coordinator-client.js'
import type { Answer, Call } from '../client/http-transport.js'
import type { UploadPlan } from './artifact-plan.js'

export interface ResumableUpload {
  client: Pick<CoordinatorClient, 'callForJob'>
  job: JobIdentity
  plan: UploadPlan
  signal: AbortSignal
  /** Milliseconds from the last byte sent to the first byte of the response. */
  headersTimeout: number
  /** Called, before any bytes are sent, with the number of bytes that the coordinator already has. */
  onOffset: (offset: number) => void
}

export interface UploadAnswer {
  status: number
  message: string
}

/**
 * Uploads `content`, starting at the byte that the coordinator still needs (see `protocol/resumable-upload.ts`).
 * `content` always produces all bytes: those that the coordinator has count for the digest and are not sent. Throws
 * `CoordinatorUnreachableError`.
 */
export async function sendResumably(
  upload: ResumableUpload,
  content: AsyncIterable<Buffer>,
): Promise<UploadAnswer> {
  const asked = await call(upload, { method: 'GET', path: '' })
  const offset = parseUploadOffset(header(asked, UPLOAD_OFFSET_HEADER))
  if (asked.status !== 204 || offset === undefined) return await refusalOf(asked)
  await asked.body.dump()
  upload.onOffset(offset)
  const sum = new RunningSum()
  const rest = await beginOf(from(offset, content, sum))
  if (rest) {
    const appended = await append(upload, offset, rest)
    if (appended.status !== 204) return await refusalOf(appended)
    await appended.body.dump()
  }
  return await complete(upload, sum)
}

async function append(
  upload: ResumableUpload,
  offset: number,
  content: AsyncIterable<Buffer>,
): Promise<Answer> {
  const body = Readable.from(content, { objectMode: false })
  body.on('error', () => undefined) // reported by the producer of the content
  const headers = { 'content-type': 'application/octet-stream', [UPLOAD_OFFSET_HEADER]: String(offset) }
  try {
    return await call(upload, { method: 'PATCH', path: '', headers, body })
  } finally {
    body.destroy()
  }
}

async function complete(upload: ResumableUpload, sum: RunningSum): Promise<UploadAnswer> {
  const { query, fileName } = upload.plan
  const facts = { filename: fileName, size: sum.size, sha256: sum.digest() }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(facts)
  const answer = await call(upload, { method: 'POST', path: artifactQuery(query), headers, body })
  return { status: answer.status, message: await messageIn(answer) }
}

function call(
  { client, job, plan, signal, headersTimeout }: ResumableUpload,
  request: Call,
): Promise<Answer> {
  const below = `artifacts/uploads/${encodeURIComponent(plan.type)}`
  return client.callForJob(job, below, { ...request, signal, headersTimeout })
}

/**
 * Converts a response into a failure. A 201 must not appear as a success here, because only the last request of an
 * upload stores the artifact.
 */
async function refusalOf(answer: Answer): Promise<UploadAnswer> {
  const message = await messageIn(answer)
  return answer.status === 201
    ? { status: 502, message: 'unexpected status 201' }
    : { status: answer.status, message }
}

class RunningSum {
  private readonly hash = createHash('sha256')
  size = 0

  add(chunk: Buffer): void {
    this.hash.update(chunk)
    this.size += chunk.length
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** Yields the bytes from `offset` on. Earlier bytes are only added to the digest. */
async function* from(
  offset: number,
  content: AsyncIterable<Buffer>,
  sum: RunningSum,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const skipped = Math.min(chunk.length, Math.max(0, offset - sum.size))
    sum.add(chunk)
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}

/** Waits for the first chunk and returns all chunks. Returns undefined if there is none. */
async function beginOf(content: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer> | undefined> {
  const first = await content.next()
  return first.done ? undefined : joined([first.value], content)
}

/** Yields `head`, then the rest of `content`. Closes `content` when the consumer stops. */
export async function* joined(head: Buffer[], content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* head
  yield* content
}
