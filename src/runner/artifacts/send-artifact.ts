import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import { pause, withJitter } from '../../lib/pause.js'
import { isUnavailable } from '../client/errors.js'
import { responseStatus } from '../client/response-status.js'
import { shortToken } from '../client/runner-info.js'
import { ArtifactTooLargeError, type UploadPlan } from './artifact-archive.js'
import { type OpenContent, type SendDeps, type Tried, tryUpload } from './upload-attempt.js'

export type SendResult =
  | { kind: 'stored' }
  /** The upload was refused or is impossible. Another attempt would fail again. */
  | { kind: 'failed'; problem: string }
  /** The coordinator was unavailable for as long as the runner waits for it. */
  | { kind: 'undelivered'; problem: string }

/** Attempts for one upload. A storage that is unavailable for a moment gets more (runner protocol, 5.1). */
const ATTEMPTS = 3
const ATTEMPTS_UNAVAILABLE = 6
const MAX_RETRY_DELAY = 5_000

/**
 * Uploads one artifact, retries if that may help, and logs each attempt. An attempt after which the coordinator has
 * more bytes does not count as a failure.
 */
export async function sendArtifact(deps: SendDeps, plan: UploadPlan, open: OpenContent): Promise<SendResult> {
  const { log, job, timings, signal } = deps
  const what = `Uploading artifacts as "${plan.type}" to coordinator...`
  let tries = new Tries(timings.silenceTimeout)
  let server: string | undefined
  let reached = 0
  for (let attempt = 1; ; attempt++) {
    const tried = await tryUpload(deps, plan, open, server)
    signal.throwIfAborted()
    const details = `id=${job.id} responseStatus=${responseStatus(tried.status)} token=${shortToken(job.token)}`
    const line = `${`${what} ${tried.text}`.padEnd(50)}  ${details}`
    if (tried.kind === 'stored') {
      log.plain(line)
      return { kind: 'stored' }
    }
    log.warning(line)
    if (tried.kind === 'relayed') server = tried.server
    if ((tried.offset ?? 0) > reached) {
      reached = tried.offset ?? 0
      tries = new Tries(timings.silenceTimeout)
      attempt = 1
    }
    const attempts = tried.status === 503 ? ATTEMPTS_UNAVAILABLE : ATTEMPTS
    if (tried.kind === 'impossible' || !tries.mayTryAgain(!isUnavailable(tried.status), attempts)) {
      return failure(deps, plan, tried)
    }
    log.warning('Retrying...')
    await pause(withJitter(Math.min(timings.uploadRetry * 2 ** (attempt - 1), MAX_RETRY_DELAY)), signal)
  }
}

function failure({ log }: SendDeps, { type }: UploadPlan, { kind, status, text }: Tried): SendResult {
  const problem = `uploading artifacts as "${type}" failed: ${text}`
  log.error(`U${problem.slice(1)}`)
  const mayComeLater = kind !== 'impossible' && isUnavailable(status)
  return { kind: mayComeLater ? 'undelivered' : 'failed', problem }
}

/**
 * Counts the attempts of one transfer. It waits for a coordinator that is unavailable (`isUnavailable`): a finished job
 * must not fail for that reason. A coordinator that responds with another error gets only a few attempts.
 */
export class Tries {
  private failures = 0
  private unavailableSince: number | undefined

  /** `patience`: milliseconds for which attempts at an unavailable coordinator do not count. */
  constructor(private readonly patience: number) {}

  /** Records a failed attempt and returns whether to try again. `attempts` is the limit for other errors. */
  mayTryAgain(wasAvailable: boolean, attempts: number, now = Date.now()): boolean {
    this.unavailableSince = wasAvailable ? undefined : (this.unavailableSince ?? now)
    if (this.unavailableSince !== undefined && now - this.unavailableSince < this.patience) return true
    this.failures++
    return this.failures < attempts
  }
}

/**
 * An upload whose bytes are in a file on the host, for a coordinator that is currently unavailable. Serializable as
 * JSON.
 */
export interface StoredArtifact {
  file: string
  plan: UploadPlan
}

/**
 * Writes the bytes of an upload to `file`. The file appears only when it is complete, so this may be repeated after
 * a kill. `prepareArtifact` provides plan and content.
 */
export async function storeArtifact(
  plan: UploadPlan,
  open: OpenContent,
  file: string,
  signal: AbortSignal,
): Promise<StoredArtifact> {
  const partial = `${file}.partial`
  try {
    await pipeline(await open(), createWriteStream(partial, { mode: 0o600, flush: true }), { signal })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  return { file, plan }
}

/** Uploads an artifact that `storeArtifact` stored, with the same query. The caller removes the file. */
export async function sendStoredArtifact(deps: SendDeps, stored: StoredArtifact): Promise<SendResult> {
  return await sendArtifact(deps, stored.plan, async () => {
    const { size } = await stat(stored.file)
    if (size > (deps.limit ?? Infinity)) throw new ArtifactTooLargeError(deps.limit ?? 0, size)
    return createReadStream(stored.file)
  })
}
