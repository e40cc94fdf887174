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

/** Turns for any pipelines, and for each pipeline that another transaction had locked. */
type ReportTurns = Turns<'any' | number, Report, FinishResult | 'locked'>

const turnsOf = new WeakMap<EngineDeps, ReportTurns>()

/**
 * Ends a running job with the result from its runner; `job` is the row that was read to check the job token. Reports that
 * arrive at the same time share a transaction.
 */
export async function finishJob(deps: EngineDeps, job: JobRow, result: JobResult): Promise<FinishResult> {
  const address = result.status === 'success' ? await addressAfter(deps, job) : undefined
  const turns = reportTurns(deps)
  const report = { job, result, address }
  const isKnownLocked = turns.isServing(job.pipeline_id)
  const ended = isKnownLocked ? 'locked' : await turns.ask('any', report)
  return ended === 'locked' ? notLocked(await turns.ask(job.pipeline_id, report)) : ended
}

/** A turn for one pipeline has waited for its lock. */
function notLocked(result: FinishResult | 'locked'): FinishResult {
  if (result === 'locked') throw new TypeError('The turn of a pipeline has not locked it')
  return result
}

function reportTurns(deps: EngineDeps): ReportTurns {
  const known = turnsOf.get(deps)
  if (known) return known
  const turns: ReportTurns = new Turns((turn, take) => finishJobs(deps, turn, take))
  turnsOf.set(deps, turns)
  return turns
}
