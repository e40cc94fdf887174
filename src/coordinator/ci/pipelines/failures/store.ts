import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { recentPipelines } from '../../failures/recent-pipelines.js'

/** More failed jobs of a pipeline are not shown. */
const MAX_FAILURES = 50
/** Pipelines in which failures of a job are counted. */
const RECENT_PIPELINES = 20

export type FailedJob = Awaited<ReturnType<typeof findFailedJobs>>[number]

/** The latest attempts that failed, in the order of the stages. */
export function findFailedJobs(database: Database, pipelineId: number) {
  return database
    .selectFrom('job')
    .select(['id', 'project_id', 'kind', 'name', 'stage', 'status', 'allow_failure', 'failure_reason'])
    .select(['exit_code', 'started_at', 'erased_at', 'debug_trace', 'trace_bytes'])
    .where('pipeline_id', '=', pipelineId)
    .where('status', '=', 'failed')
    .where('retried', '=', false)
    .orderBy('stage_index')
    .orderBy('id')
    .limit(MAX_FAILURES)
    .execute()
}

export interface RecentCount {
  name: string
  status: 'success' | 'failed'
  count: number
}

/** How many jobs of these names succeeded and failed in the last pipelines up to this one, on its ref or merge request. */
export async function countRecent(
  database: Database,
  pipeline: PipelineRow,
  names: readonly string[],
): Promise<RecentCount[]> {
  const rows = await database
    .selectFrom('job')
    .select(['name', 'status'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pipeline_id', 'in', recentPipelines(database, pipeline, RECENT_PIPELINES))
    .where('name', 'in', names)
    .where('status', 'in', ['success', 'failed'])
    .where('retried', '=', false)
    .groupBy(['name', 'status'])
    .execute()
  return rows.flatMap(({ name, status, count }) =>
    status === 'success' || status === 'failed' ? [{ name, status, count }] : [],
  )
}
