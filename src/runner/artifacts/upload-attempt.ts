import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'

import { formatDuration } from '../../lib/duration.js'
import { messageOf } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import { isFinalUploadStatus } from '../client/retryable.js'
import type { JobLog } from '../trace/job-log.js'
import { measured, type Meter } from './artifact-content.js'
import type { UploadPlan } from './artifact-plan.js'
import { joined, sendResumably } from './resumable-upload.js'

/** `[runners.artifact]` (runner protocol, 5.1). */
export interface UploadTimeouts {
  /** For one try of one artifact. */
  uploadTimeoutSeconds: number
  /** From the last byte sent to the first one of the answer. */
  responseHeaderTimeoutSeconds: number
}

/** Milliseconds. */
export interface UploadTimings {
  /** Before the second try; doubled up to 5 seconds. */
  uploadRetry: number
  /** How long a coordinator that does not answer is waited for. */
  patience: number
}

export interface SendDeps {
  client: Pick<CoordinatorClient, 'uploadArtifact' | 'callForJob'>
  job: JobIdentity
  log: Pick<JobLog, 'plain' | 'warning' | 'error'>
  timings: UploadTimings
  timeouts: UploadTimeouts
  /** Bytes that the coordinator takes at most, when it has said so. */
  limit: number | undefined
  /** Whether the coordinator keeps what arrived of a try that broke off (`features.resumable_uploads`). */
  isResumable: boolean
  signal: AbortSignal
}

/** Makes the bytes anew for each try; the same ones each time, else a coordinator that has them already refuses. */
export type OpenContent = () => Promise<Readable>

interface Attempt {
  /** Undefined: no answer came. */
  status: number | undefined
  text: string
  /** Bytes that the coordinator had before, when it keeps those of tries that broke off. */
  offset?: number | undefined
}

export type Tried = Attempt &
  (
    | { kind: 'stored' }
    /** No other try would end differently. */
    | { kind: 'impossible' }
    | { kind: 'missed' }
    /** Another host takes the upload. */
    | { kind: 'relayed'; server: string }
  )

interface UploadAnswer {
  status: number
  message: string
  location?: URL | undefined
}

/** What is not longer is sent in one request: to begin it anew costs less than to ask where it broke off. */
const SMALL_BYTES = 1024 * 1024

/** One try of one upload, to the host `server` if the coordinator has named it. */
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
    const noteOffset = (bytes: number) => (offset = bytes)
    const answer = await send(deps, plan, content, { server, signal: time.signal, noteOffset })
    return { ...readAnswer(answer, content.meter), offset }
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

interface Way {
  server: string | undefined
  signal: AbortSignal
  noteOffset: (bytes: number) => void
}

async function send(
  deps: SendDeps,
  plan: UploadPlan,
  content: Content,
  { server, signal, noteOffset }: Way,
): Promise<UploadAnswer> {
  const { client, job, isResumable, timeouts } = deps
  const headersTimeout = timeouts.responseHeaderTimeoutSeconds * 1000
  const { isLonger, bytes } = isResumable ? await content.begin(SMALL_BYTES) : content.whole()
  if (isLonger) {
    const onOffset = (offset: number) => {
      noteOffset(offset)
      if (offset > 0) deps.log.plain(`Going on after the ${formatBytes(offset)} that the coordinator has`)
    }
    return await sendResumably({ client, job, plan, signal, headersTimeout, onOffset }, bytes)
  }
  const body = Readable.from(bytes, { objectMode: false })
  body.on('error', () => undefined) // `content` knows of it
  try {
    const file = { name: plan.fileName, content: body }
    return await client.uploadArtifact(job, plan.query, file, signal, { server, headersTimeout })
  } finally {
    body.destroy()
  }
}

/** The bytes of one try; tells what broke them apart from what broke the connection. */
class Content {
  readonly meter: Meter = { bytes: 0 }
  /** Set when the bytes themselves could not be made. */
  fault: { error: unknown } | undefined

  constructor(
    private readonly stream: Readable,
    private readonly limit: number | undefined,
  ) {}

  /** All the bytes. To be called once, instead of `begin`. */
  whole(): { isLonger: false; bytes: AsyncGenerator<Buffer> } {
    return { isLonger: false, bytes: this.noted() }
  }

  /** All the bytes, and whether there are more than `size`. To be called once. */
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

  /** A connection that breaks ends this by an error as well, at the place of the `yield`: that is none of the bytes'. */
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
    stream.on('error', () => undefined) // whoever reads it hears of that; nobody may have begun to
    return { kind: 'open', stream }
  } catch (error) {
    return { kind: 'impossible', status: undefined, text: messageOf(error) }
  }
}

function readAnswer({ status, message, location }: UploadAnswer, { bytes }: Meter): Tried {
  const said = message === `status ${status}` ? '' : ` (${message})`
  const text = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
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
