import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import type { JobRow, PipelineRow, ProjectRow, RunnerRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import { endLeases } from '../../queue/lease.js'
import { advancePipeline, recordJobsStarted } from '../advance/advance-pipeline.js'
import { recordDeploymentRuns } from '../deployments/deployment-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { isCompleted } from '../job-status.js'
import { endJob } from '../jobs/end-job.js'
import type { DispatchProblem } from '../jobs/missing-capability.js'
import { type Candidate, loadCandidates } from './candidate.js'
import { findDispatchProblem } from './dispatch-problem.js'
import { jobTimeout } from './job-timeout.js'
import { moveToRunning } from './move-to-running.js'

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
  /** IDs of the jobs that were dispatched together, this one included. */
  together: readonly number[]
}

/** `dropped`: the job cannot run, or is no longer pending. */
export type StartResult = DispatchedJob | 'dropped'

/** A job that was taken out of the queue for a runner, under a lease. */
export interface Claim {
  jobId: number
  asking: RequestingRunner
}

interface Start extends Claim {
  candidate: Candidate
  token: string
}

/**
 * Starts jobs that were claimed under leases. Those that cannot run fail. Returns a result for each, in their order. The
 * claims may have been committed before: a lease of another runner means that the claim has expired.
 */
export async function startClaimed(
  deps: EngineDeps,
  tx: Transaction,
  claims: readonly Claim[],
): Promise<StartResult[]> {
  if (claims.length === 0) return []
  const candidates = await loadCandidates(
    deps,
    tx,
    claims.map(({ jobId, asking }) => ({ jobId, runnerId: asking.runner.id })),
  )
  const starts: Start[] = []
  const refused: { job: JobRow; problem: DispatchProblem }[] = []
  const ended: number[] = []
  for (const claim of claims) {
    const candidate = candidates.get(claim.jobId)
    if (!candidate) continue
    if (candidate.job.status === 'pending') {
      const problem = await findDispatchProblem(deps, tx, candidate, claim.asking.features)
      if (problem) refused.push({ job: candidate.job, problem })
      else starts.push({ ...claim, candidate, token: newToken(JOB_TOKEN_PREFIX) })
    } else if (isCompleted(candidate.job.status)) ended.push(claim.jobId)
  }
  const started = await startJobs(deps, tx, starts)
  const withoutRunner = [...ended, ...refused.map(({ job }) => job.id)]
  if (withoutRunner.length > 0) await endLeases(tx, withoutRunner)
  for (const { job, problem } of refused) await refuse(deps, tx, job, problem)
  return claims.map(({ jobId }) => started.get(jobId) ?? 'dropped')
}

async function startJobs(
  deps: EngineDeps,
  tx: Transaction,
  starts: readonly Start[],
): Promise<Map<number, DispatchedJob>> {
  const dispatched = new Map<number, DispatchedJob>()
  if (starts.length === 0) return dispatched
  const { moved, pipelines: read } = await moveToRunning(tx, starts.map(withStart))
  const pipelines = await recordJobsStarted(tx, read)
  const deploying = moved.filter(({ environment_action }) => environment_action === 'start')
  if (deploying.length > 0)
    await recordDeploymentRuns(
      tx,
      deploying.map(({ id }) => id),
    )
  const together = moved.map(({ id }) => id)
  for (const [index, job] of moved.entries()) {
    const { asking, candidate, token } = starts[index] as Start // one for each
    afterCommit(tx, () => deps.notifications.emit('jobStarted', job, asking.runner))
    const pipeline = pipelines.get(job.pipeline_id) as PipelineRow // that of each job
    dispatched.set(job.id, { job, pipeline, project: candidate.project, token, together })
  }
  return dispatched
}

function withStart({ asking, candidate: { job, project }, token }: Start) {
  const { runner, systemId, features } = asking
  const start = {
    id: job.id,
    runner_id: runner.id,
    runner_system_id: systemId ?? null,
    cancel_gracefully: features.cancel_gracefully === true,
    token_digest: tokenDigest(token),
    timeout: jobTimeout({
      job: job.options.timeout,
      project: project.build_timeout,
      runner: runner.maximum_timeout,
    }),
  }
  return { job, start }
}

async function refuse(
  deps: EngineDeps,
  tx: Transaction,
  job: JobRow,
  { reason, missing }: DispatchProblem,
): Promise<void> {
  await endJob(deps, tx, job, {
    status: 'failed',
    failure_reason: reason,
    ...(missing && { waited_for: JSON.stringify(missing) }),
  })
  await advancePipeline(deps, tx, job.pipeline_id)
}
