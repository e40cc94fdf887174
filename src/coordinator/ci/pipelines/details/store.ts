import type { InferResult } from 'kysely'

import type { Database } from '../../../database/connect.js'

/** The stages of pipelines, in their order. */
export function findStagesOf(database: Database, pipelineIds: number[]) {
  return database
    .selectFrom('stage')
    .select(['id', 'pipeline_id', 'name', 'status'])
    .where('pipeline_id', 'in', pipelineIds)
    .orderBy('position')
    .execute()
}

export type JobSums = InferResult<ReturnType<typeof jobSums>>[number]

/** The latest jobs of pipelines, summed up by stage and status. */
export function findJobSums(database: Database, pipelineIds: number[]): Promise<JobSums[]> {
  return jobSums(database).where('job.pipeline_id', 'in', pipelineIds).execute()
}

function jobSums(database: Database) {
  return database
    .selectFrom('job')
    .leftJoin('test_report', 'test_report.job_id', 'job.id')
    .select(['job.pipeline_id', 'job.stage_id', 'job.status', 'job.allow_failure'])
    .select(({ fn }) => [
      fn.countAll<number>().as('jobs'),
      fn.min<number | null>('job.id').as('first_id'),
      fn.max<number | null>('job.id').as('last_id'),
      fn.sum<number | null>('job.coverage').as('coverage'),
      fn.count<number>('job.coverage').as('with_coverage'),
      fn.count<number>('test_report.job_id').as('reports'),
      fn.sum<number | null>('test_report.success_count').as('success'),
      fn.sum<number | null>('test_report.failed_count').as('failed'),
      fn.sum<number | null>('test_report.error_count').as('error'),
      fn.sum<number | null>('test_report.skipped_count').as('skipped'),
    ])
    .where('job.retried', '=', false)
    .groupBy(['job.pipeline_id', 'job.stage_id', 'job.status', 'job.allow_failure'])
}

/** The latest statuses that other systems reported for pipelines. */
export function findReported(database: Database, pipelineIds: number[]) {
  return database
    .selectFrom('commit_status')
    .select(['pipeline_id', 'stage_id', 'status', 'coverage'])
    .where('pipeline_id', 'in', pipelineIds)
    .where('retried', '=', false)
    .execute()
}

export function findMergeRequests(database: Database, ids: number[]) {
  return database
    .selectFrom('merge_request')
    .select(['id', 'iid', 'project_id'])
    .where('id', 'in', ids)
    .execute()
}
