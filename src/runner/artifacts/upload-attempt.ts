import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { formatDuration } from '../../lib/duration.js'
import { messageOf } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'
import { parseUploadOffset, UPLOAD_OFFSET_HEADER } from '../../protocol/resumable-upload.js'
import type { HttpResponse } from '../client/connections.js'
import { artifactQuery, type CoordinatorClient, type JobIdentity } from '../client/coordinator-client.js'
import { isFinalUploadStatus } from '../client/errors.js'
import { type Call, header, messageIn } from '../client/http-transport.js'
import { responseStatus } from '../client/response-status.js'
import type { JobLog } from '../trace/job-log.js'
import { measured, type Meter, type UploadPlan } from './artifact-archive.js'

/** `[runners.artifact]` (runner protocol, 5.1). */
export interface UploadTimeouts {
  /** Limit for one attempt to upload one artifact. */
  uploadTimeoutSeconds: number
  /** Limit from the last byte sent to the first byte of the response. */
  responseHeaderTimeoutSeconds: number
}

/** Durations in milliseconds. */
interface UploadTimings {
  /** Delay before the second attempt. Doubles on each attempt, up to 5 seconds. */
  uploadRetry: number
  /** How long an upload waits for a coordinator that does not respond. */
  silenceTimeout: number
}

export interface SendDeps {
  client: Pick<CoordinatorClient, 'uploadArtifact' | 'callForJob'>
  job: JobIdentity
  log: Pick<JobLog, 'plain' | 'warning' | 'error'>
  timings: UploadTimings
  timeouts: UploadTimeouts
  /** Maximum number of bytes that the coordinator accepts, if it reports one. */
  limit: number | undefined
  /** Whether the coordinator keeps the bytes of an interrupted attempt (`features.resumable_uploads`). */
  isResumable: boolean
  signal: AbortSignal
}

/**
 * Produces the bytes for each attempt. They must be the same each time, or else a coordinator that has some of them
 * refuses the rest.
 */
export type OpenContent = () => Promise<Readable>

interface Attempt {
  /** Undefined if no response arrived. */
  status: number | undefined
  text: string
  /** Number of bytes that the coordinator already had, if it keeps those of interrupted attempts. */
  offset?: number | undefined
}

export type Tried = Attempt &
  (
    | { kind: 'stored' }
    /** Every other attempt would fail in the same way. */
    | { kind: 'impossible' }
    | { kind: 'missed' }
    /** Another host accepts the upload. */
    | { kind: 'relayed'; server: string }
  )

interface UploadResponse {
  status: number
  message: string
  location?: URL | undefined
}

/** Uploads up to this size use one request. Repeating one costs less than asking where it was interrupted. */
const SMALL_BYTES = 1024 * 1024

/** Makes one attempt to upload, to the host `server` if the coordinator named one. */
export async function tryUpload(
  deps: SendDeps,
  plan: UploadPlan,
  open: OpenContent,
  server: string | undefined,
): Promise<Tried> {
  const opened = await openOnce(open)
  if (opened.kind === 'impossible') return opened
  const content = new Content(opened.stream, deps.limit)
  const time = timeLimit(deps.timeouts.uploadTimeoutSeconds, deps.signal)
  let offset: number | undefined
  try {
    const recordOffset = (bytes: number) => (offset = bytes)
    const reply = await send(deps, plan, content, { server, signal: time.signal, recordOffset })
    return { ...readResponse(reply, content.meter), offset }
  } catch (error) {
    if (content.fault) return { kind: 'impossible', status: undefined, text: messageOf(content.fault.error) }
    const text = time.isOver()
      ? `not done within ${formatDuration(deps.timeouts.uploadTimeoutSeconds)}`
      : messageOf(error)
    return { kind: 'missed', status: undefined, text, offset }
  } finally {
    time.clear()
    opened.stream.destroy()
  }
}

interface SendContext {
  server: string | undefined
  signal: AbortSignal
  recordOffset: (bytes: number) => void
}

async function send(
  deps: SendDeps,
  plan: UploadPlan,
  content: Content,
  { server, signal, recordOffset }: SendContext,
): Promise<UploadResponse> {
  const { client, job, isResumable, timeouts } = deps
  const headersTimeout = timeouts.responseHeaderTimeoutSeconds * 1000
  const { isLonger, bytes } = isResumable ? await content.begin(SMALL_BYTES) : content.whole()
  if (isLonger) {
    const onOffset = (offset: number) => {
      recordOffset(offset)
      if (offset > 0)
        deps.log.plain(`Resuming after the ${formatBytes(offset)} that the coordinator already has`)
    }
    return await sendResumably({ client, job, plan, signal, headersTimeout, onOffset }, bytes)
  }
  const body = Readable.from(bytes, { objectMode: false })
  body.on('error', () => undefined) // reported by `content`
  try {
    const file = { name: plan.fileName, content: body }
    return await client.uploadArtifact(job, plan.query, file, signal, { server, headersTimeout })
  } finally {
    body.destroy()
  }
}

/** The bytes of one attempt. Distinguishes errors in producing them from errors of the connection. */
class Content {
  readonly meter: Meter = { bytes: 0 }
  /** Set if the bytes could not be produced. */
  fault: { error: unknown } | undefined

  constructor(
    private readonly stream: Readable,
    private readonly limit: number | undefined,
  ) {}

  /** Returns all bytes. Call it once, instead of `begin`. */
  whole(): { isLonger: false; bytes: AsyncGenerator<Buffer> } {
    return { isLonger: false, bytes: this.noted() }
  }

  /** Returns all bytes, and whether there are more than `size`. Call it once. */
  async begin(size: number): Promise<{ isLonger: boolean; bytes: AsyncGenerator<Buffer> }> {
    const bytes = this.noted()
    const head: Buffer[] = []
    for (let length = 0; length <= size;) {
      const next = await bytes.next()
      if (next.done) return { isLonger: false, bytes: joined(head, bytes) }
      head.push(next.value)
      length += next.value.length
    }
    return { isLonger: true, bytes: joined(head, bytes) }
  }

  /**
   * A broken connection also ends this generator with an error, at the `yield`. Such an error is not a fault of the
   * content.
   */
  private async *noted(): AsyncGenerator<Buffer> {
    const bytes = measured(this.stream, this.meter, this.limit)
    for (;;) {
      const next = await bytes.next().catch((error: unknown) => {
        this.fault ??= { error }
        throw error
      })
      if (next.done) return
      yield next.value
    }
  }
}

async function openOnce(
  open: OpenContent,
): Promise<{ kind: 'open'; stream: Readable } | (Attempt & { kind: 'impossible' })> {
  try {
    const stream = await open()
    stream.on('error', () => undefined) // reported to the consumer, if there is one yet
    return { kind: 'open', stream }
  } catch (error) {
    return { kind: 'impossible', status: undefined, text: messageOf(error) }
  }
}

function readResponse({ status, message, location }: UploadResponse, { bytes }: Meter): Tried {
  const said = message === `status ${status}` ? '' : ` (${message})`
  const text = responseStatus(status)
  if (status === 201) return { kind: 'stored', status, text }
  if (status === 307 && location !== undefined) {
    return { kind: 'relayed', status, text: `${text} to ${location.origin}`, server: location.origin }
  }
  const size = status === 413 ? `, after ${formatBytes(bytes)} were sent` : ''
  return {
    kind: isFinalUploadStatus(status) ? 'impossible' : 'missed',
    status,
    text: `${text}${said}${size}`,
  }
}

function timeLimit(seconds: number, signal: AbortSignal) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), seconds * 1000)
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    isOver: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  }
}

interface ResumableUpload {
  client: Pick<CoordinatorClient, 'callForJob'>
  job: JobIdentity
  plan: UploadPlan
  signal: AbortSignal
  /** Milliseconds from the last byte sent to the first byte of the response. */
  headersTimeout: number
  /** Called, before any bytes are sent, with the number of bytes that the coordinator already has. */
  onOffset: (offset: number) => void
}

/**
 * Uploads `content`, starting at the byte that the coordinator still needs (see `protocol/resumable-upload.ts`).
 * `content` always produces all bytes: those that the coordinator has count for the digest and are not sent. Throws
 * `CoordinatorUnreachableError`.
 */
async function sendResumably(
  upload: ResumableUpload,
  content: AsyncIterable<Buffer>,
): Promise<UploadResponse> {
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
): Promise<HttpResponse> {
  const body = Readable.from(content, { objectMode: false })
  body.on('error', () => undefined) // reported by the producer of the content
  const headers = { 'content-type': 'application/octet-stream', [UPLOAD_OFFSET_HEADER]: String(offset) }
  try {
    return await call(upload, { method: 'PATCH', path: '', headers, body })
  } finally {
    body.destroy()
  }
}

async function complete(upload: ResumableUpload, sum: RunningSum): Promise<UploadResponse> {
  const { query, fileName } = upload.plan
  const facts = { filename: fileName, size: sum.size, sha256: sum.digest() }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(facts)
  const reply = await call(upload, { method: 'POST', path: artifactQuery(query), headers, body })
  return { status: reply.status, message: await messageIn(reply) }
}

function call(
  { client, job, plan, signal, headersTimeout }: ResumableUpload,
  request: Call,
): Promise<HttpResponse> {
  const below = `artifacts/uploads/${encodeURIComponent(plan.type)}`
  return client.callForJob(job, below, { ...request, signal, headersTimeout })
}

/**
 * Converts a response into a failure. A 201 must not appear as a success here, because only the last request of an
 * upload stores the artifact.
 */
async function refusalOf(reply: HttpResponse): Promise<UploadResponse> {
  const message = await messageIn(reply)
  return reply.status === 201
    ? { status: 500, message: 'unexpected status 201' }
    : { status: reply.status, message }
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
async function* joined(head: Buffer[], content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* head
  yield* content
}
