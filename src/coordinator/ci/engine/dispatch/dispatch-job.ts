import { groupBy } from '../../../../lib/group-by.js'
import { tokenDigest } from '../../../../lib/tokens.js'
import { Turns } from '../../../../lib/turns.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { endUncontactedLease } from '../../queue/lease.js'
import type { RunnerProfile } from '../../queue/match.js'
import type { PartitionHead } from '../../queue/partition.js'
import { loadRunnerProfile } from '../../queue/runner-profile.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { returnToQueue } from '../jobs/return-to-queue.js'
import { lockPipeline } from '../pipeline-store.js'
import { type DispatchedJob, type RequestingRunner, startClaimed, type StartResult } from './start-claimed.js'

/** CI language, 14.3. */
const MAX_CANDIDATES = 45

/** A runner that requests a job, and what it may take. */
interface JobRequest {
  asking: RequestingRunner
  profile: RunnerProfile
}

type Attempt = StartResult | 'none-left'

type RequestTurns = Turns<'instance', JobRequest, Attempt>

const turnsOf = new WeakMap<EngineDeps, RequestTurns>()

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
 * Requeues a job whose answer did not reach its runner, unless the runner has made contact since. Returns
 * whether it did.
 */
export async function requeueJob(deps: EngineDeps, jobId: number, token: string): Promise<boolean> {
  const job = await findJob(deps.database, jobId)
  if (!job) return false
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, jobId)
    if (current?.token_digest !== tokenDigest(token)) return false
    if (!(await endUncontactedLease(tx, jobId))) return false
    await returnToQueue(deps, tx, current)
    await advancePipeline(deps, tx, current.pipeline_id)
    return true
  })
}

async function tryNext(deps: EngineDeps, request: JobRequest): Promise<Attempt> {
  const { profile } = request
  if (profile.type !== 'instance_type') return tryPartitions(deps, request)
  // A request that matches no job returns without taking the dispatch lock.
  return (await deps.queue.hasInstanceJobs(profile))
    ? requestTurns(deps).ask('instance', request)
    : 'none-left'
}

/** Moves to the next partition only if all jobs of the first are being claimed by others. */
async function tryPartitions(deps: EngineDeps, request: JobRequest): Promise<Attempt> {
  for (const partition of await deps.queue.partitionsFor(request.profile)) {
    const [attempt] = await inTransaction(deps.database, (tx) =>
      claimAndStart(deps, tx, partition, [request]),
    )
    if (attempt) return attempt
  }
  return 'none-left'
}

/**
 * Instance runners take jobs of all projects in a fair order. It depends on the jobs that earlier requests got, so the
 * requests are served one after the other. Those that arrive at the same time share the lock and a transaction.
 */
function requestTurns(deps: EngineDeps): RequestTurns {
  const known = turnsOf.get(deps)
  if (known) return known
  const turns: RequestTurns = new Turns((_key, take) =>
    deps.queue.withFairnessLock(async (tx) => {
      const requests = take()
      const attempts = new Map<JobRequest, Attempt>()
      for (const alike of groupBy(requests, ({ profile }) => kindOf(profile)).values()) {
        const made = await tryInFairOrder(deps, tx, alike)
        made.forEach((attempt, index) => attempts.set(alike[index] as JobRequest, attempt)) // as many at most
      }
      return requests.map((request) => attempts.get(request) ?? 'none-left')
    }),
  )
  turnsOf.set(deps, turns)
  return turns
}

/** Equal for instance runners that may take the same jobs. */
function kindOf({ active, tags, runUntagged, protectedOnly, weight }: RunnerProfile): string {
  return JSON.stringify([active, [...tags].sort(), runUntagged, protectedOnly, weight])
}

/** Returns an attempt for each of the first requests; nothing is left for the others. */
async function tryInFairOrder(
  deps: EngineDeps,
  tx: Transaction,
  requests: readonly JobRequest[],
): Promise<StartResult[]> {
  const attempts: StartResult[] = []
  for (;;) {
    const rest = requests.slice(attempts.length)
    const made = await tryFirst(deps, tx, rest)
    attempts.push(...made)
    if (made.length === 0 || made.length === rest.length) return attempts
  }
}

/**
 * Returns attempts for the first of the requests, or for several: with one partition, no claim changes from where the
 * next one takes its job. Reads the partitions under the lock, so that it sees the changes of earlier claims.
 */
async function tryFirst(
  deps: EngineDeps,
  tx: Transaction,
  requests: readonly JobRequest[],
): Promise<StartResult[]> {
  const [first] = requests
  const partitions = first ? await deps.queue.partitionsFor(first.profile, tx) : []
  const together = partitions.length === 1 ? requests : requests.slice(0, 1)
  for (const partition of partitions) {
    const attempts = await claimAndStart(deps, tx, partition, together)
    if (attempts.length > 0) return attempts
  }
  return []
}

/** Returns an attempt for each of the first requests, one for each job that could be claimed. */
async function claimAndStart(
  deps: EngineDeps,
  tx: Transaction,
  partition: PartitionHead,
  requests: readonly JobRequest[],
): Promise<StartResult[]> {
  const [first] = requests
  const jobIds = first ? await deps.queue.claim(tx, partition, first.profile, requests.length) : []
  const claims = jobIds.map((jobId, index) => ({ jobId, asking: (requests[index] as JobRequest).asking }))
  return startClaimed(deps, tx, claims)
}
