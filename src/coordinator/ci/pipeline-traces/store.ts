import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import type { TracedJob, TracedPipeline } from './spans.js'

/** Undefined if the pipeline was deleted. */
export function findTracedPipeline(database: Database, id: number): Promise<TracedPipeline | undefined> {
  return database
    .selectFrom('pipeline')
    .innerJoin('project', 'project.id', 'pipeline.project_id')
    .leftJoin('downstream_pipeline', 'downstream_pipeline.pipeline_id', 'pipeline.id')
    .select([
      'pipeline.id',
      'pipeline.iid',
      'pipeline.name',
      'pipeline.status',
      'pipeline.source',
      'pipeline.ref',
    ])
    .select(['pipeline.tag', 'pipeline.sha', 'pipeline.failure_reason', 'pipeline.created_at'])
    .select(['pipeline.started_at', 'pipeline.finished_at', 'project.full_path as project_path'])
    .select(['upstream_job_id', 'upstream_pipeline_id'])
    .where('pipeline.id', '=', id)
    .executeTakeFirst()
}

/** All attempts of all jobs of a pipeline, in pages. */
export function tracedJobs(
  database: Database,
  pipelineId: number,
): AsyncGenerator<TracedJob & { project_id: number; trace_bytes: number | null }> {
  return inPages(
    database
      .selectFrom('job')
      .leftJoin('runner', 'runner.id', 'job.runner_id')
      .select(['job.id', 'job.project_id', 'job.kind', 'job.name', 'stage', 'stage_index', 'job.status'])
      .select(['allow_failure', 'retried', 'failure_reason', 'exit_code', 'queued_at', 'started_at'])
      .select(['finished_at', 'runner_id', 'runner.description as runner_description', 'runner_system_id'])
      .select('trace_bytes')
      .where('pipeline_id', '=', pipelineId),
    'job',
  )
}
