import { HOUR } from '../../../../lib/time-units.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { type Gate, gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { moveJob } from '../job-status-store.js'
import { endJob } from '../jobs/end-job.js'
import { enqueueJobs } from '../jobs/enqueue-jobs.js'
import { refusalToPlay } from '../permissions/refusal-to-run-on.js'
import type { RunRefusal } from '../permissions/refusal-to-run.js'
import { findProject, lockPipeline } from '../pipeline-store.js'
import { advancePipeline } from './advance-pipeline.js'
import { findDueJobs, findNextDueTime, findPipelinesWithDueJobs } from './schedule-store.js'

/** A job that is later than this is not started (CI language, 11.4). Milliseconds. */
const MAX_LATENESS = HOUR

/**
 * Enqueues the delayed jobs that are due. Jobs more than an hour late fail with `stale_schedule`. A job whose
 * deployment needs approvals, or whose user may not run it any more, becomes manual instead.
 *
 * Returns the next due time, in milliseconds since 1970; undefined if there is none. If a pipeline fails, the
 * error is logged and the next call retries it.
 */
export async function startDueJobs(deps: EngineDeps, now = Date.now()): Promise<number | undefined> {
  for (const pipelineId of await findPipelinesWithDueJobs(deps.database, now)) {
    try {
      await inTransaction(deps.database, (tx) => startDueJobsOf(deps, tx, pipelineId, now))
    } catch (error) {
      deps.logger.error({ err: error, pipeline: pipelineId }, 'Failed to start delayed jobs')
    }
  }
  return findNextDueTime(deps.database, now)
}

async function startDueJobsOf(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  now: number,
): Promise<void> {
  await lockPipeline(tx, deps.dialect, pipelineId)
  const due = await findDueJobs(tx, pipelineId, now)
  const stale = due.filter(({ scheduled_at }) => (scheduled_at ?? now) < now - MAX_LATENESS)
  const timely = due.filter((job) => !stale.includes(job))
  const gated = new Map<Gate, JobRow[]>()
  for (const job of timely) {
    const refusal = await refusalNow(deps, tx, job)
    if (refusal) {
      await hold(deps, tx, job, refusal)
      continue
    }
    const gate = await gateOf(deps, tx, job)
    gated.set(gate, [...(gated.get(gate) ?? []), job])
  }
  await enqueueJobs(deps, tx, gated.get('open') ?? [], 'scheduled')
  for (const job of gated.get('unapproved') ?? []) {
    await moveJob(tx, job, { status: 'manual', scheduled_at: null })
  }
  for (const job of gated.get('forbidden') ?? []) {
    await endJob(deps, tx, job, { status: 'failed', failure_reason: 'protected_environment_failure' })
  }
  for (const job of stale) await endJob(deps, tx, job, { status: 'failed', failure_reason: 'stale_schedule' })
  await advancePipeline(deps, tx, pipelineId)
}

/** Why the user of a job may not run it at this moment. */
async function refusalNow(deps: EngineDeps, tx: Transaction, job: JobRow): Promise<RunRefusal | undefined> {
  const project = await findProject(tx, job.project_id)
  const user = await tx.selectFrom('user').selectAll().where('id', '=', job.user_id).executeTakeFirstOrThrow()
  return refusalToPlay({ ...deps, database: tx }, { project, user }, job)
}

/** A job whose user may not run it any more waits for a user who may; one that nobody may run fails. */
async function hold(deps: EngineDeps, tx: Transaction, job: JobRow, { reason }: RunRefusal): Promise<void> {
  const failure_reason = FAILURES[reason]
  if (failure_reason === undefined) await moveJob(tx, job, { status: 'manual', scheduled_at: null })
  else await endJob(deps, tx, job, { status: 'failed', failure_reason })
}

const FAILURES: Partial<Record<RunRefusal['reason'], FailureReason>> = {
  'read-only': 'archived_failure',
  disabled: 'builds_disabled',
  blocked: 'user_blocked',
}
