import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Artifacts } from './artifacts/artifacts.js'
import type { Traces } from './traces.js'

/** A job whose row is gone. */
export interface RemovedJob {
  id: number
  project_id: number
}

export interface RemovedJobDeps {
  database: Database
  artifacts: Artifacts
  traces: Traces
  logger: Logger
}

/** Per turn of the task. */
const BATCH = 500

/**
 * Notes the jobs of pipelines that the same transaction deletes: their files go after it has committed, and if that is
 * cut off, with the next turn of `removeFilesOfDeletedJobs`.
 */
export async function recordDeletedJobs(tx: Transaction, pipelineIds: number[]): Promise<void> {
  await tx
    .insertInto('removed_job')
    .columns(['job_id', 'project_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('job')
        .select((select) => ['id', 'project_id', select.val(Date.now()).as('created_at')])
        .where('pipeline_id', 'in', pipelineIds),
    )
    // Somebody else may be deleting the same pipeline.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes what the jobs have left. A job for which that fails is logged, and stays noted. */
export async function removeFilesOf(
  { database, artifacts, traces, logger }: RemovedJobDeps,
  jobs: RemovedJob[],
): Promise<void> {
  for (const job of jobs) {
    try {
      await artifacts.deleteOfJob(job)
      await traces.delete(job)
      await database.deleteFrom('removed_job').where('job_id', '=', job.id).execute()
    } catch (error) {
      logger.warn(
        { err: error, job: job.id },
        'Failed to delete the files of a deleted job; a later run retries',
      )
    }
  }
}

/** Periodic task: deletes what a coordinator that was stopped, or a store that could not be written, has left. */
export async function removeFilesOfDeletedJobs(deps: RemovedJobDeps): Promise<void> {
  const jobs = await deps.database
    .selectFrom('removed_job')
    .select(['job_id as id', 'project_id'])
    .orderBy('job_id')
    .limit(BATCH)
    .execute()
  await removeFilesOf(deps, jobs)
}
