import { tokenDigest } from '../../../../lib/tokens.js'
import { inTransaction } from '../../../database/transaction.js'
import { loadRunnerProfile } from '../../queue/runner-profile.js'
import type { EngineDeps } from '../engine-deps.js'
import { type Attempt, instanceTurns, type JobRequest } from './instance-turns.js'
import { returnUncontacted } from './return-uncontacted.js'
import { type DispatchedJob, type RequestingRunner, startClaimed } from './start-claimed.js'

/** CI language, 14.3. */
const MAX_CANDIDATES = 45

/**
 * Dispatches the next job that the runner may take, in queue order (CI language, 14). The job is then running
 * under a lease. Jobs that cannot run at all fail on the way. Undefined if there is no job.
 */
export async function dispatchJob(
  deps: EngineDeps,
  asking: RequestingRunner,
): Promise<DispatchedJob | undefined> {
  const profile = await loadRunnerProfile(deps.database, asking.runner)
  for (let candidate = 1; candidate <= MAX_CANDIDATES; candidate++) {
    const attempt = await tryNext(deps, { asking, profile })
    if (attempt === 'none-left') return undefined
    if (attempt !== 'dropped') return attempt
  }
  return undefined
}

/**
 * Requeues a job whose response did not reach its runner, unless the runner has made contact since. Returns
 * whether it did.
 */
export function requeueJob(deps: EngineDeps, jobId: number, token: string): Promise<boolean> {
  const digest = tokenDigest(token)
  return returnUncontacted(deps, jobId, { isOf: ({ token_digest }) => token_digest === digest })
}

async function tryNext(deps: EngineDeps, request: JobRequest): Promise<Attempt> {
  const { profile } = request
  if (profile.type !== 'instance_type') return tryPartitions(deps, request)
  // A request that matches no job returns without taking the dispatch lock.
  return (await deps.queue.hasInstanceJobs(profile))
    ? instanceTurns(deps).ask('instance', request)
    : 'none-left'
}

/** Moves to the next partition only if all jobs of the first are being claimed by others. */
async function tryPartitions(deps: EngineDeps, { asking, profile }: JobRequest): Promise<Attempt> {
  for (const partition of await deps.queue.partitionsFor(profile)) {
    const [attempt] = await inTransaction(deps.database, async (tx) => {
      const jobId = await deps.queue.claim(tx, partition, profile, deps.lease)
      return startClaimed(deps, tx, jobId === undefined ? [] : [{ jobId, asking }])
    })
    if (attempt) return attempt
  }
  return 'none-left'
}
