import { groupBy } from '../../../../lib/group-by.js'
import { executeTogether } from '../../../database/execute-together.js'
import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { emitJobs } from '../engine-events.js'
import { UnexpectedStatusError } from '../errors.js'
import { type JobStart, jobStarts } from '../job-status-store.js'
import { idsOf } from '../job-store.js'
import { pipelinesByIds } from '../pipeline-store.js'
import { updateStages } from '../stage-store.js'

/**
 * Makes pending jobs and their stages running, and reads their pipelines. Throws `UnexpectedStatusError` if a job is no
 * longer pending. One round trip, because other transactions wait for the locks of the pipelines.
 */
export async function moveToRunning(
  tx: Transaction,
  starts: readonly { job: JobRow; start: JobStart }[],
): Promise<{ moved: JobRow[]; pipelines: PipelineRow[] }> {
  const now = Date.now()
  const rows = starts.map(({ start }) => start)
  const distinct = (column: 'stage_id' | 'pipeline_id') =>
    JSON.stringify([...new Set(starts.map(({ job }) => job[column]))])
  const [changed, , pipelines] = await executeTogether(tx, [
    jobStarts.with(tx, { starts: JSON.stringify(rows), now }),
    updateStages.with(tx, { ids: distinct('stage_id'), status: 'running' }),
    pipelinesByIds.with(tx, { ids: distinct('pipeline_id') }),
  ])
  if (Number(changed.numAffectedRows) !== starts.length)
    throw new UnexpectedStatusError(idsOf(rows), 'pending')
  const moved = starts.map(({ job, start }) => ({
    ...job,
    ...start,
    status: 'running' as const,
    updated_at: now,
    started_at: now,
  }))
  for (const jobs of groupBy(moved, ({ project_id }) => project_id).values())
    emitJobs(tx, idsOf(jobs), 'running')
  return { moved, pipelines: pipelines.rows }
}
