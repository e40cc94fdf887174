import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { JobStateGroup } from './progress-of-states.js'

/**
 * The distinct states of the latest jobs of a pipeline, in the order of the stages. Each step of the walk goes from one
 * state to the next in the index `job_state_in_pipeline`, so the cost depends on the number of states, not of jobs.
 */
export const jobStates = new PreparedStatement(
  (_database, { pipelineId }: { pipelineId: Placeholder<number> }, dialect) =>
    dialect === 'postgres' ? onPostgres(pipelineId) : onSqlite(pipelineId),
)

/** As `jobStates`. */
export async function findJobStates(database: Database, pipelineId: number): Promise<JobStateGroup[]> {
  return (await database.executeQuery(jobStates.with(database, { pipelineId }))).rows
}

/** Columns of the index after the pipeline and `retried`. */
const state = sql.raw('stage_index, stage_id, status, allow_failure, scheduling_type')

const shown = sql.raw(
  'stage_index as "stageIndex", stage_id as "stageId", status, allow_failure as "allowFailure", scheduling_type as "schedulingType"',
)

function onPostgres(pipelineId: Placeholder<number>): RawBuilder<JobStateGroup> {
  const jobs = sql`select ${state} from job where pipeline_id = ${pipelineId} and not retried`
  return sql`
    with recursive found as (
      (${jobs} order by ${state} limit 1)
      union all
      select later.* from found cross join lateral (
        ${jobs} and (${state})
          > (found.stage_index, found.stage_id, found.status, found.allow_failure, found.scheduling_type)
        order by ${state} limit 1
      ) later
    )
    select ${shown} from found`
}

/**
 * A walk in SQLite carries one value, here the id of a job in that state. SQLite compares two columns of the same type in
 * a way that the index does not serve, but not a column and an expression; it begins each step at "greater or equal".
 * `char(0)` makes the least text after the last column of the state, so that the jobs in that state are skipped.
 */
function onSqlite(pipelineId: Placeholder<number>): RawBuilder<JobStateGroup> {
  const jobs = sql`select id from job where pipeline_id = ${pipelineId} and retried = 0`
  return sql`
    with recursive found(head) as (
      select (${jobs} order by ${state} limit 1)
      union all
      select (
        ${jobs} and (${state}) > (
          one.stage_index + 0, one.stage_id + 0, one.status || '', one.allow_failure, one.scheduling_type || char(0)
        )
        order by ${state} limit 1
      ) from found cross join job one where one.id = found.head
    )
    select ${shown} from found cross join job where job.id = found.head`
}
