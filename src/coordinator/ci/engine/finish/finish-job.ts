import { LRUCache } from 'lru-cache'

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

interface Reports {
  /** For any pipelines, and for each pipeline that another transaction had locked. */
  turns: Turns<'any' | number, Report, FinishResult | 'locked'>
  /** IDs of pipelines that were locked: they are likely to be locked again. */
  contended: LRUCache<number, true>
}

/** Milliseconds. */
const CONTENDED_FOR = 1000
const MAX_CONTENDED = 1000

const reportsOf = new WeakMap<EngineDeps, Reports>()

/**
 * Ends a running job with the result from its runner; `job` is the row that was read to check the job token. Reports that
 * arrive at the same time share a transaction.
 */
export async function finishJob(deps: EngineDeps, job: JobRow, result: JobResult): Promise<FinishResult> {
  const address = result.status === 'success' ? await addressAfter(deps, job) : undefined
  const report = { job, result, address }
  const { pipeline_id: id } = job
  const { turns, contended } = reportsFor(deps)
  if (!contended.has(id)) {
    const ended = await turns.ask('any', report)
    if (ended !== 'locked') return ended
    contended.set(id, true)
  }
  const ended = await turns.ask(id, report)
  if (ended === 'locked') throw new TypeError('The turn of a pipeline has not waited for its lock')
  return ended
}

function reportsFor(deps: EngineDeps): Reports {
  const known = reportsOf.get(deps)
  if (known) return known
  const reports: Reports = {
    turns: new Turns((turn, take) => finishJobs(deps, turn, take)),
    contended: new LRUCache({ max: MAX_CONTENDED, ttl: CONTENDED_FOR }),
  }
  reportsOf.set(deps, reports)
  return reports
}
