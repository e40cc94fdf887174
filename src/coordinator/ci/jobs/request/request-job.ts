import type { JobPayload } from '../../../../protocol/job-payload.js'
import { LEGACY_SYSTEM_ID, type RunnerInfo } from '../../../../protocol/runner-info.js'
import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'
import { forbidden } from '../../../http/errors.js'
import type { RequestingRunner } from '../../engine/dispatch/start-claimed.js'
import { loadRunnerProfile } from '../../queue/runner-profile.js'
import type { WaitingRequest } from '../../queue/waiting-request.js'
import { assignJob, type AssignJobDeps, type OnGone } from './assign-job.js'
import { queueVersion } from './queue-version.js'
import type { RunnerDirectory } from './runner-directory.js'

export interface RequestJobDeps extends AssignJobDeps {
  runners: RunnerDirectory
  /** Maximum time to hold a request, in seconds; 0 = do not hold. */
  longPollSeconds: number
}

export interface ReceivedJobRequest {
  token: string
  systemId: string | undefined
  lastUpdate: string | undefined
  info: RunnerInfo | undefined
  /** The session server of the runner, as it was sent. */
  session?: unknown
  ip: string
}

/**
 * `held`: the request was held before it was served. `repeatableUntil`: until then, in milliseconds since 1970, an equal
 * request has the same response and no effect while the store does not change.
 */
export type JobResponse =
  | { kind: 'job'; payload: JobPayload; held: boolean }
  | { kind: 'none'; lastUpdate?: string; held: boolean; repeatableUntil?: number }

/**
 * Serves a job request (runner protocol, 2.2 and 2.3):
 *
 *   registered as waiting ── search ── job ─────────────────────────────────> job
 *                               │
 *                               ├── nothing; the runner has not seen this ──> none, with the value to send next time
 *                               └── nothing new ── held ── woken: search ───> job, or held again
 *                                                    └──── timeout ─────────> none
 *
 * A coordinator holds thousands of requests. What a variable of this or of a calling function refers to takes memory as
 * long as the request is held, and each asynchronous function on the way takes half a kilobyte.
 */
export async function requestJob(
  deps: RequestJobDeps,
  request: ReceivedJobRequest,
  onGone: OnGone,
): Promise<JobResponse> {
  const runner = await deps.runners.findByToken(request.token)
  if (!runner) throw forbidden()
  const { systemId, info, ip } = request
  const contactStoredUntil = await deps.runners.recordContact({ runnerId: runner.id, systemId, info, ip })
  const lastUpdate = queueVersion(runner)
  const repeatableUntil = Math.min(contactStoredUntil, runner.token_expires_at ?? Infinity)
  if (!runner.active) return { kind: 'none', lastUpdate, held: false, repeatableUntil }
  const { jobsLeftToOthers } = deps.engine.queue
  const waiting = deps.engine.queue.wait(await loadRunnerProfile(deps.engine.database, runner))
  try {
    const payload = await assignJob(
      deps,
      await requestingRunner(deps, runner, request),
      onGone,
      request.session,
    )
    if (payload) return { kind: 'job', payload, held: false }
    const mayHold = deps.longPollSeconds > 0 && request.lastUpdate === lastUpdate
    if (mayHold) return await hold(deps, waiting, request, onGone)
    // A job that is left to another runner becomes available without a change of the store.
    const isInStore = deps.engine.queue.jobsLeftToOthers === jobsLeftToOthers
    return { kind: 'none', lastUpdate, held: false, ...(isInStore && { repeatableUntil }) }
  } finally {
    waiting.close()
  }
}

async function hold(
  deps: RequestJobDeps,
  waiting: WaitingRequest,
  request: ReceivedJobRequest,
  onGone: OnGone,
): Promise<JobResponse> {
  onGone(() => waiting.abort())
  const deadline = performance.now() + deps.longPollSeconds * 1000
  while ((await waiting.next(Math.max(0, deadline - performance.now()))) === 'woken') {
    // The runner may have been paused, changed or deleted while its request was held.
    const runner = await deps.runners.findByToken(request.token)
    if (!runner) throw forbidden()
    if (!runner.active) break
    const payload = await assignJob(
      deps,
      await requestingRunner(deps, runner, request),
      onGone,
      request.session,
    )
    if (payload) return { kind: 'job', payload, held: true }
  }
  return { kind: 'none', held: true }
}

async function requestingRunner(
  { runners }: RequestJobDeps,
  runner: RunnerRow,
  { info, systemId = LEGACY_SYSTEM_ID }: ReceivedJobRequest,
): Promise<RequestingRunner> {
  const features = info?.features ?? (await runners.featuresOf(runner.id, systemId))
  return { runner, systemId, features }
}
