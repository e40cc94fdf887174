import type { Database } from '../../database/connect.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { pipelinesOfRef } from '../engine/pipeline-store.js'
import type { StoredRef } from '../engine/stored-ref.js'

export interface PipelineQuery {
  projectId: number
  on: StoredRef
  /** Only in this status. */
  status?: CompositeStatus
  /** Ignores skipped pipelines. */
  ignoreSkipped?: boolean
}

/** The newest pipeline of a branch or tag that is no part of another one. */
export function findNewestPipeline(
  database: Database,
  { projectId, on, status, ignoreSkipped }: PipelineQuery,
): Promise<{ id: number; status: CompositeStatus } | undefined> {
  return pipelinesOfRef(database, projectId, on)
    .select(['id', 'status'])
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'success'))
    .$if(ignoreSkipped === true, (query) => query.where('status', '!=', 'skipped'))
    .limit(1)
    .executeTakeFirst()
}

/** Coverage of the latest job with this name. */
export async function findCoverageOfJob(
  database: Database,
  pipelineId: number,
  name: string,
): Promise<number | null> {
  const job = await database
    .selectFrom('job')
    .select('coverage')
    .where('pipeline_id', '=', pipelineId)
    .where('name', '=', name)
    .where('retried', '=', false)
    .executeTakeFirst()
  return job?.coverage ?? null
}

/** The tag of the newest published release. */
export async function findLatestTag(
  database: Database,
  projectId: number,
  now: number,
): Promise<string | undefined> {
  const release = await database
    .selectFrom('release')
    .select('tag')
    .where('project_id', '=', projectId)
    .where('released_at', '<=', now)
    .orderBy('released_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return release?.tag
}
