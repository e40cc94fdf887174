import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import type { JobRow, PipelineRow, ProjectRow, RunnerRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, inTransaction, type Transaction } from '../../../database/transaction.js'
import { endUncontactedLease, startLease } from '../../queue/lease.js'
import type { RunnerProfile } from '../../queue/match.js'
import type { QueuePartition } from '../../queue/partition.js'
import { loadRunnerProfile } from '../../queue/runner-profile.js'
import { advancePipeline, recordJobStarted } from '../advance/advance-pipeline.js'
import { recordDeploymentRuns } from '../deployments/deployment-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { findJob, moveJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { returnToQueue } from '../jobs/return-to-queue.js'
import { lockPipeline } from '../pipeline-store.js'
import { type Candidate, loadCandidate } from './candidate.js'
import { findDispatchProblem } from './dispatch-problem.js'
import { jobTimeout } from './job-timeout.js'

/** CI language, 14.3. */
const MAX_CANDIDATES = 45
const JOB_TOKEN_PREFIX = 'glcbt-'

/** A runner that requests a job, with the features that this machine reports. */
export interface RequestingRunner {
  runner: RunnerRow
  /** The id that the machine generated for itself. */
  systemId?: string
  features: Record<string, unknown>
}

export interface DispatchedJob {
  job: JobRow
  pipeline: PipelineRow
  project: ProjectRow
  /** The job token; only its digest is stored. */
  token: string
}

type Attempt = DispatchedJob | 'none-left' | 'dropped'

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

async function tryNext(deps: EngineDeps, asking: RequestingRunner, profile: RunnerProfile): Promise<Attempt> {
  if (profile.type !== 'instance_type')
    return tryPartitions(deps, asking, await deps.queue.partitionsFor(profile))
  // A request that matches no job returns without taking the dispatch lock.
  return (await deps.queue.hasInstanceJobs(profile)) ? tryWithSlot(deps, asking, profile) : 'none-left'
}

/** Reads the partitions after the lock is taken, so that it sees the changes of earlier claims. */
function tryWithSlot(deps: EngineDeps, asking: RequestingRunner, profile: RunnerProfile): Promise<Attempt> {
  return deps.queue.withFairnessLock(async (tx) => {
    for (const partition of await deps.queue.partitionsFor(profile, tx)) {
      const attempt = await tryOldest(deps, tx, asking, partition)
      if (attempt !== 'none-left') return attempt
    }
    return 'none-left'
  })
}

/** Moves to the next partition only if all jobs of the first are being claimed by others. */
async function tryPartitions(
  deps: EngineDeps,
  asking: RequestingRunner,
  partitions: QueuePartition[],
): Promise<Attempt> {
  for (const partition of partitions) {
    const attempt = await inTransaction(deps.database, (tx) => tryOldest(deps, tx, asking, partition))
    if (attempt !== 'none-left') return attempt
  }
  return 'none-left'
}

async function tryOldest(
  deps: EngineDeps,
  tx: Transaction,
  asking: RequestingRunner,
  partition: QueuePartition,
): Promise<Attempt> {
  const jobId = await deps.queue.claim(tx, partition)
  if (jobId === undefined) return 'none-left'
  const candidate = await loadCandidate(deps, tx, jobId)
  if (candidate.job.status !== 'pending') {
    await deps.queue.deleteClaimed(tx, jobId)
    return 'dropped'
  }
  const problem = await findDispatchProblem(deps, tx, candidate, asking.features)
  if (!problem) return start(deps, tx, asking, candidate)
  await endJob(deps, tx, candidate.job, {
    status: 'failed',
    failure_reason: problem.reason,
    ...(problem.missing && { waited_for: JSON.stringify(problem.missing) }),
  })
  await advancePipeline(deps, tx, candidate.job.pipeline_id)
  return 'dropped'
}

async function start(
  deps: EngineDeps,
  tx: Transaction,
  { runner, systemId, features }: RequestingRunner,
  { job, project }: Candidate,
): Promise<DispatchedJob> {
  const now = Date.now()
  const token = newToken(JOB_TOKEN_PREFIX)
  const started = {
    status: 'running',
    runner_id: runner.id,
    runner_system_id: systemId ?? null,
    cancel_gracefully: features.cancel_gracefully === true,
    token_digest: tokenDigest(token),
    timeout: jobTimeout({
      job: job.options.timeout,
      project: project.build_timeout,
      runner: runner.maximum_timeout,
    }),
    started_at: now,
    updated_at: now,
  } as const
  if (!(await moveJob(tx, job, started))) throw new UnexpectedStatusError([job.id], job.status)
  await deps.queue.deleteClaimed(tx, job.id)
  await startLease(tx, deps.lease, leaseHolder(job, runner), now)
  const pipeline = await recordJobStarted(tx, job)
  if (job.environment_action === 'start') await recordDeploymentRuns(tx, job.id)
  afterCommit(tx, () => deps.onJobStarted?.({ ...job, ...started }, runner))
  return { job: { ...job, ...started }, pipeline, project, token }
}

function leaseHolder(job: JobRow, runner: RunnerRow) {
  return {
    jobId: job.id,
    projectId: job.project_id,
    runnerId: runner.id,
    isInstanceRunner: runner.runner_type === 'instance_type',
  }
}
