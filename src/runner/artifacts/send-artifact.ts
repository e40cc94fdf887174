import type { Readable } from 'node:stream'

import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import { shortToken } from '../client/short-token.js'
import type { JobTimings } from '../job/job-context.js'
import type { JobLog } from '../trace/job-log.js'
import type { UploadPlan } from './artifact-plan.js'
import { Tries } from './tries.js'
import { type Tried, tryUpload } from './upload-attempt.js'

/** `[runners.artifact]` (runner protocol, 5.1). */
export interface UploadTimeouts {
  /** For one try of one artifact. */
  uploadTimeoutSeconds: number
  /** From the last byte sent to the first one of the answer. */
  responseHeaderTimeoutSeconds: number
}

export interface SendDeps {
  client: Pick<CoordinatorClient, 'uploadArtifact' | 'callForJob'>
  job: JobIdentity
  log: Pick<JobLog, 'plain' | 'warning' | 'error'>
  timings: Pick<JobTimings, 'uploadRetry' | 'patience'>
  timeouts: UploadTimeouts
  /** Bytes that the coordinator takes at most, when it has said so. */
  limit: number | undefined
  /** Whether the coordinator keeps what arrived of a try that broke off (`features.resumable_uploads`). */
  isResumable: boolean
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

/**
 * Uploads one artifact, tries it again where that may help, and says in the log how it went. A try that brought the
 * coordinator further does not count.
 */
export async function sendArtifact(deps: SendDeps, plan: UploadPlan, open: OpenContent): Promise<SendResult> {
  const { log, job, timings, signal } = deps
  const what = `Uploading artifacts as "${plan.type}" to coordinator...`
  let tries = new Tries(timings.patience)
  let server: string | undefined
  let reached = 0
  for (let attempt = 1; ; attempt++) {
    const tried = await tryUpload(deps, plan, open, server)
    signal.throwIfAborted()
    const details = `id=${job.id} responseStatus=${tried.text} token=${shortToken(job.token)}`
    const line = `${`${what} ${tried.text}`.padEnd(50)}  ${details}`
    if (tried.kind === 'stored') {
      log.plain(line)
      return { kind: 'stored' }
    }
    log.warning(line)
    if (tried.kind === 'relayed') server = tried.server
    if ((tried.offset ?? 0) > reached) {
      reached = tried.offset ?? 0
      tries = new Tries(timings.patience)
      attempt = 1
    }
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
