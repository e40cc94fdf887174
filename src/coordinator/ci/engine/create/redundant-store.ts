import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { CANCELABLE_STATUSES } from '../job-status.js'

/** How far back redundant pipelines of a branch or tag are searched (CI language, 12.6). */
const MAX_AGE_MILLISECONDS = 7 * DAY
const MAX_PIPELINES = 3000

/** Unfinished older pipelines of the same branch, tag or merge request for other commits, in the order of their ids. */
export function findOlderPipelines(database: Database, newer: PipelineRow): Promise<PipelineRow[]> {
  return (
    database
      .selectFrom((eb) =>
        eb
          .selectFrom('pipeline')
          .selectAll()
          .where('project_id', '=', newer.project_id)
          .where('ref', '=', newer.ref)
          .where('tag', '=', newer.tag)
          // In a fork, merge requests of several projects may have refs with the same name.
          .where('merge_request_id', newer.merge_request_id === null ? 'is' : '=', newer.merge_request_id)
          .where('id', '<', newer.id)
          .orderBy('id', 'desc')
          .limit(MAX_PIPELINES)
          .as('recent'),
      )
      .selectAll()
      .where('sha', '!=', newer.sha)
      // Pipelines of external systems are not canceled.
      .where('source', '!=', 'external')
      .where('created_at', '>', newer.created_at - MAX_AGE_MILLISECONDS)
      .where('status', 'in', CANCELABLE_STATUSES)
      .orderBy('id')
      .execute()
  )
}

/** Whether a job that is not interruptible runs or has run, in any attempt. */
export async function hasStartedForGood(database: Database, pipelineId: number): Promise<boolean> {
  const started = await database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('interruptible', '=', false)
    .where('status', 'in', ['running', 'success', 'failed'])
    .where('started_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return started !== undefined
}
