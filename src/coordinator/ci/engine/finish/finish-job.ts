import { Turns } from '../../../../lib/turns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { renewLease } from '../../queue/lease.js'
import { addressAfter } from '../deployments/after-job.js'
import type { EngineDeps } from '../engine-deps.js'
import { finishJobs, type FinishResult, type JobResult, type Report } from './finish-jobs.js'

/**
 * Renews the lease of a job after contact with its runner. Returns until when another contact need not be recorded, in
 * milliseconds since 1970; undefined if the job has ended.
 */
export async function recordContact(
  deps: Pick<EngineDeps, 'database' | 'lease'>,
  job: Pick<JobRow, 'id'>,
): Promise<number | undefined> {
  return renewLease(deps.database, deps.lease, job.id, Date.now())
}

type ReportTurns = Turns<number, Report, FinishResult>

const turnsOf = new WeakMap<EngineDeps, ReportTurns>()

/**
 * Ends a running job with the result from its runner; `job` is the row that was read to check the job token. Reports for
 * jobs of one pipeline that arrive at the same time share a transaction: each would have to lock the pipeline.
 */
export async function finishJob(deps: EngineDeps, job: JobRow, result: JobResult): Promise<FinishResult> {
  const address = result.status === 'success' ? await addressAfter(deps, job) : undefined
  return reportTurns(deps).ask(job.pipeline_id, { job, result, address })
}

function reportTurns(deps: EngineDeps): ReportTurns {
  const known = turnsOf.get(deps)
  if (known) return known
  const turns: ReportTurns = new Turns((pipelineId, take) => finishJobs(deps, pipelineId, take))
  turnsOf.set(deps, turns)
  return turns
}
