import type { Database } from '../../../database/connect.js'
import { DANGLING_SOURCES } from '../../engine/pipeline-source.js'
import type { EndedJob, EndedPipeline } from './summarize.js'

/** Pipelines that are read; older ones are not counted. */
const MAX_PIPELINES = 5000
const MAX_JOBS = 20_000

interface PipelineSelection {
  projectId: number
  ref: string | undefined
  /** Milliseconds since 1970. */
  from: number
}

/**
 * Pipelines that succeeded or failed, of the newest ones of a project, the newest first. `more`: older ones in the period
 * were not read.
 */
export async function endedPipelines(
  database: Database,
  { projectId, ref, from }: PipelineSelection,
): Promise<{ pipelines: EndedPipeline[]; more: boolean }> {
  // The limit is inside, so that a project without recent pipelines is not read to its beginning.
  const newest = await database
    .selectFrom('pipeline')
    .select(['id', 'ref', 'sha', 'status', 'source', 'duration', 'created_at'])
    .where('project_id', '=', projectId)
    .$if(ref !== undefined, (query) => query.where('ref', '=', ref ?? ''))
    .orderBy('id', 'desc')
    .limit(MAX_PIPELINES)
    .execute()
  const isDangling = (source: string) => (DANGLING_SOURCES as readonly string[]).includes(source)
  const pipelines = newest.flatMap(({ status, source, ...pipeline }): EndedPipeline[] => {
    const isEnded = status === 'success' || status === 'failed'
    return isEnded && pipeline.created_at >= from && !isDangling(source) ? [{ ...pipeline, status }] : []
  })
  const oldest = newest.at(-1)
  return {
    pipelines,
    more: newest.length === MAX_PIPELINES && oldest !== undefined && oldest.created_at >= from,
  }
}

/** Runs of jobs of these pipelines that succeeded or failed, retried ones included. */
export async function endedJobs(database: Database, pipelineIds: readonly number[]): Promise<EndedJob[]> {
  if (pipelineIds.length === 0) return []
  const rows = await database
    .selectFrom('job')
    .select(['pipeline_id', 'name', 'status', 'started_at', 'finished_at'])
    .where('pipeline_id', 'in', pipelineIds)
    .where('kind', '=', 'build')
    .where('status', 'in', ['success', 'failed'])
    .where('started_at', 'is not', null)
    .limit(MAX_JOBS)
    .execute()
  return rows.map(({ status, started_at, finished_at, ...job }) => ({
    ...job,
    isSuccess: status === 'success',
    seconds: ((finished_at ?? 0) - (started_at ?? 0)) / 1000,
  }))
}
