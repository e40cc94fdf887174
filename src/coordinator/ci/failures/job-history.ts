import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { recentPipelines } from './recent-pipelines.js'

/** Pipelines in which a job is looked for. */
const MAX_PIPELINES = 100

/** The job in one pipeline, by its last attempt. */
export interface HistoryRow {
  id: number
  pipeline_id: number
  sha: string
  status: 'success' | 'failed'
}

/** The job itself, and that of its name in the pipelines of its branch, tag or merge request up to its own; the newest first. */
export async function findHistory(
  database: Database,
  {
    id,
    name,
    pipeline_id,
    project_id,
    ref,
    tag,
  }: Pick<JobRow, 'id' | 'name' | 'pipeline_id' | 'project_id' | 'ref' | 'tag'>,
) {
  const pipeline = await database
    .selectFrom('pipeline')
    .select(['merge_request_id', 'sha'])
    .where('id', '=', pipeline_id)
    .executeTakeFirst()
  const merge_request_id = pipeline?.merge_request_id ?? null
  const recent = { id: pipeline_id, project_id, ref, tag, merge_request_id }
  const rows = await database
    .selectFrom('job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .select(['job.id', 'job.pipeline_id', 'pipeline.sha', 'job.status'])
    .where('job.pipeline_id', 'in', recentPipelines(database, recent, MAX_PIPELINES))
    .where('job.name', '=', name)
    .where('job.status', 'in', ['success', 'failed'])
    .where('job.retried', '=', false)
    .orderBy('job.pipeline_id', 'desc')
    .execute()
  const own: HistoryRow = { id, pipeline_id, sha: pipeline?.sha ?? '', status: 'failed' }
  const others = rows.flatMap(({ status, ...row }): HistoryRow[] =>
    status === 'success' || status === 'failed' ? [{ ...row, status }] : [],
  )
  return { own, rows: others }
}

export interface JobHistory {
  recent: { failed: number; of: number }
  /** The first failure after the last success. */
  firstFailed: HistoryRow
  lastPassed: HistoryRow | undefined
}

/** Since when a job fails. `own`: the job, which may have been retried and is not in `rows` then. `rows`: the newest first. */
export function historyOf(own: HistoryRow, rows: readonly HistoryRow[]): JobHistory {
  const before = rows.filter(({ pipeline_id }) => pipeline_id < own.pipeline_id)
  const all = [own, ...before]
  const passedAt = before.findIndex(({ status }) => status === 'success')
  const since = passedAt < 0 ? before : before.slice(0, passedAt)
  return {
    recent: { failed: all.filter(({ status }) => status === 'failed').length, of: all.length },
    firstFailed: since.at(-1) ?? own,
    lastPassed: before[passedAt],
  }
}
