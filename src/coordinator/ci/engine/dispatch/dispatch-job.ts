import { tokenDigest } from '../../../../lib/tokens.js'
import type { RunnerProfile } from '../../queue/match.js'
import { loadRunnerProfile } from '../../queue/runner-profile.js'
import type { EngineDeps } from '../engine-deps.js'
import { askForJob, type Attempt } from './dispatch-turns.js'
import { returnUncontacted } from './return-uncontacted.js'
import type { DispatchedJob, RequestingRunner } from './start-claimed.js'

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
    const attempt = await tryNext(deps, asking, profile)
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

/** A request that matches no job returns without a transaction. */
async function tryNext(deps: EngineDeps, asking: RequestingRunner, profile: RunnerProfile): Promise<Attempt> {
  if (profile.type === 'instance_type') {
    const hasJobs = await deps.queue.hasInstanceJobs(profile)
    return hasJobs ? askForJob(deps, { asking, profile, partitions: [] }) : 'none-left'
  }
  const partitions = await deps.queue.partitionsFor(profile)
  return partitions.length > 0 ? askForJob(deps, { asking, profile, partitions }) : 'none-left'
}
