import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Artifacts } from './artifacts/artifacts.js'
import type { Traces } from './traces.js'

/** A job whose row is deleted. */
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

/** Jobs per run of the task. */
const BATCH = 500

/**
 * Records the jobs of pipelines that the same transaction deletes. Their files are deleted after the commit
 * or, if that is interrupted, by the next run of `deleteFilesOfDeletedJobs`.
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
    // Another process may delete the same pipeline at the same time.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the files of the jobs. If that fails for a job, the error is logged and the job stays recorded. */
export async function deleteFilesOf(
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

/** Periodic task: deletes files that remain after a coordinator stopped or the store was not writable. */
export async function deleteFilesOfDeletedJobs(deps: RemovedJobDeps): Promise<void> {
  const jobs = await deps.database
    .selectFrom('removed_job')
    .select(['job_id as id', 'project_id'])
    .orderBy('job_id')
    .limit(BATCH)
    .execute()
  await deleteFilesOf(deps, jobs)
}
