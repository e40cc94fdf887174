import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'

import { messageOf } from '../../lib/errors.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity } from '../client.js'
import { formatDuration } from '../duration.js'
import { formatBytes } from '../format-bytes.js'
import { isFinalUploadStatus } from '../retryable.js'
import { shortToken } from '../short-token.js'
import type { JobLog } from '../trace/job-log.js'
import type { UploadPlan } from './artifact-plan.js'
import { measured, type Meter } from './artifact-size.js'
import type { JobTimings } from './job-context.js'
import { fileForm } from './multipart-form.js'
import { Tries } from './tries.js'

/** `[runners.artifact]` (runner protocol, 5.1). */
export interface UploadTimeouts {
  /** For one try of one artifact. */
  uploadTimeoutSeconds: number
  /** From the last byte sent to the first one of the answer. */
  responseHeaderTimeoutSeconds: number
}

export interface SendDeps {
  client: Pick<CoordinatorClient, 'uploadArtifact'>
  job: JobIdentity
  log: Pick<JobLog, 'plain' | 'warning' | 'error'>
  timings: Pick<JobTimings, 'uploadRetry' | 'patience'>
  timeouts: UploadTimeouts
  /** Bytes that the coordinator takes at most, when it has said so. */
  limit: number | undefined
  signal: AbortSignal
}

export type SendResult =
  | { kind: 'stored' }
  /** Refused, or impossible: trying again would change nothing. */
  | { kind: 'failed'; problem: string }
  /** No answer came for as long as it is waited for. */
  | { kind: 'undelivered'; problem: string }

/** Makes the bytes anew for each try; the same ones each time, else a coordinator that has them already refuses. */
export type OpenContent = () => Promise<Readable>

/** Tries of one upload; a storage that is away for a moment gets more (runner protocol, 5.1). */
const ATTEMPTS = 3
const ATTEMPTS_UNAVAILABLE = 6
const MAX_RETRY_DELAY = 5_000

/** Uploads one artifact, tries it again where that may help, and says in the log how it went. */
export async function sendArtifact(deps: SendDeps, plan: UploadPlan, open: OpenContent): Promise<SendResult> {
  const { log, job, timings, signal } = deps
  const what = `Uploading artifacts as "${plan.type}" to coordinator...`
  const tries = new Tries(timings.patience)
  let server: string | undefined
  for (let attempt = 1; ; attempt++) {
    const tried = await sendOnce(deps, plan, open, server)
    signal.throwIfAborted()
    const details = `id=${job.id} responseStatus=${tried.text} token=${shortToken(job.token)}`
    const line = `${`${what} ${tried.text}`.padEnd(50)}  ${details}`
    if (tried.kind === 'stored') {
      log.plain(line)
      return { kind: 'stored' }
    }
    log.warning(line)
    if (tried.kind === 'relayed') server = tried.server
    const attempts = tried.status === 503 ? ATTEMPTS_UNAVAILABLE : ATTEMPTS
    if (tried.kind === 'impossible' || !tries.mayTryAgain(tried.status !== undefined, attempts)) {
      return failure(deps, plan, tried)
    }
    log.warning('Retrying...')
    await pause(withJitter(Math.min(timings.uploadRetry * 2 ** (attempt - 1), MAX_RETRY_DELAY)), signal)
  }
}

function failure({ log }: SendDeps, { type }: UploadPlan, { kind, status, text }: Tried): SendResult {
  const problem = `uploading artifacts as "${type}" failed: ${text}`
  log.error(`U${problem.slice(1)}`)
  const isSilence = kind !== 'impossible' && status === undefined
  return { kind: isSilence ? 'undelivered' : 'failed', problem }
}

interface Attempt {
  /** Undefined: no answer came. */
  status: number | undefined
  text: string
}

type Tried = Attempt &
  (
    | { kind: 'stored' }
    /** No other try would end differently. */
    | { kind: 'impossible' }
    | { kind: 'missed' }
    /** Another host takes the upload. */
    | { kind: 'relayed'; server: string }
  )

async function sendOnce(
  deps: SendDeps,
  plan: UploadPlan,
  open: OpenContent,
  server: string | undefined,
): Promise<Tried> {
  const { client, job, timeouts } = deps
  const content = await openOnce(open)
  if (content.kind === 'impossible') return content
  const meter: Meter = { bytes: 0 }
  const body = Readable.from(measured(content.stream, meter, deps.limit), { objectMode: false })
  const contentError = firstError(body)
  const time = timeLimit(timeouts.uploadTimeoutSeconds, deps.signal)
  try {
    const answer = await client.uploadArtifact(job, plan.query, fileForm(plan.fileName, body), time.signal, {
      server,
      headersTimeout: timeouts.responseHeaderTimeoutSeconds * 1000,
    })
    return readAnswer(answer, meter)
  } catch (error) {
    const cause = contentError()
    if (cause !== undefined) return { kind: 'impossible', status: undefined, text: messageOf(cause) }
    const text = time.isOver()
      ? `not done within ${formatDuration(timeouts.uploadTimeoutSeconds)}`
      : messageOf(error)
    return { kind: 'missed', status: undefined, text }
  } finally {
    time.clear()
    body.destroy()
    content.stream.destroy()
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

function readAnswer(
  { status, message, location }: Awaited<ReturnType<CoordinatorClient['uploadArtifact']>>,
  { bytes }: Meter,
): Tried {
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

/** What broke the archive itself, told apart from what broke the connection. */
function firstError(stream: Readable): () => unknown {
  let first: unknown
  stream.on('error', (error) => (first ??= error))
  return () => first
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
