import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { idsOnPostgres } from '../../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { JobStateGroup } from './progress-of-states.js'

/** A state of jobs of one of several pipelines. */
export interface FoundState extends JobStateGroup {
  pipelineId: number
}

/**
 * The distinct states of the latest jobs of pipelines, of each in the order of the stages. Each step of the walk goes from
 * one state to the next in the index `job_state_in_pipeline`, so the cost depends on the number of states, not of jobs.
 * `pipelineIds` is a JSON array.
 */
export const jobStates = new PreparedStatement(
  (_database, { pipelineIds }: { pipelineIds: Placeholder<string> }, dialect) =>
    dialect === 'postgres' ? onPostgres(pipelineIds) : onSqlite(pipelineIds),
)

/** As `jobStates`. */
export async function findJobStates(
  database: Database,
  pipelineIds: readonly number[],
): Promise<FoundState[]> {
  const states = jobStates.with(database, { pipelineIds: JSON.stringify(pipelineIds) })
  return (await database.executeQuery(states)).rows
}

/** Columns of the index after the pipeline and `retried`. */
const state = sql.raw('stage_index, stage_id, status, allow_failure, scheduling_type')

const shown = sql.raw(
  'pipeline_id as "pipelineId", stage_index as "stageIndex", stage_id as "stageId", status, allow_failure as "allowFailure", scheduling_type as "schedulingType"',
)

function onPostgres(pipelineIds: Placeholder<string>): RawBuilder<FoundState> {
  const jobsOf = (pipeline: RawBuilder<unknown>) =>
    sql`select pipeline_id, ${state} from job where pipeline_id = ${pipeline} and not retried`
  return sql`
    with recursive found as (
      select first.* from ${idsOnPostgres(pipelineIds)} asked(id) cross join lateral (
        ${jobsOf(sql`asked.id`)} order by ${state} limit 1
      ) first
      union all
      select later.* from found cross join lateral (
        ${jobsOf(sql`found.pipeline_id`)} and (${state})
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
function onSqlite(pipelineIds: Placeholder<string>): RawBuilder<FoundState> {
  const jobsOf = (pipeline: RawBuilder<unknown>) =>
    sql`select id from job where pipeline_id = ${pipeline} and retried = 0`
  return sql`
    with recursive found(head) as (
      select (${jobsOf(sql`asked.value`)} order by ${state} limit 1) from json_each(${pipelineIds}) asked
      union all
      select (
        ${jobsOf(sql`one.pipeline_id`)} and (${state}) > (
          one.stage_index + 0, one.stage_id + 0, one.status || '', one.allow_failure, one.scheduling_type || char(0)
        )
        order by ${state} limit 1
      ) from found cross join job one where one.id = found.head
    )
    select ${shown} from found cross join job where job.id = found.head`
}
