import { sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { upcomingJobs } from '../../engine/advance/resource-groups/store.js'
import { COMPLETED_STATUSES } from '../../engine/job-status.js'
import { hasRunnerSession } from '../runner-sessions/store.js'
import type { LinkedJob } from './schema.js'

/** All attempts of a job, the oldest first. */
export function findAttempts(
  database: Database,
  { pipeline_id, name }: Pick<JobRow, 'pipeline_id' | 'name'>,
) {
  return database
    .selectFrom('job')
    .select(['id', 'status', 'created_at', 'started_at', 'finished_at', 'failure_reason'])
    .where('pipeline_id', '=', pipeline_id)
    .where('name', '=', name)
    .orderBy('id')
    .execute()
}

export interface ArchiveState {
  expireAt: number | null
  /** The archive has expired, and its bytes were deleted. */
  isDeleted: boolean
  /** The ref whose latest successful pipeline keeps the archive beyond its expiry. */
  keptFor: string | null
}

/** Undefined for a job without an archive. */
export async function findArchiveState(
  database: Database,
  { id, pipeline_id }: Pick<JobRow, 'id' | 'pipeline_id'>,
): Promise<ArchiveState | undefined> {
  const archive = await database
    .selectFrom('job_artifact')
    .select(['expire_at', 'blob_key'])
    .where('job_id', '=', id)
    .where('file_type', '=', 'archive')
    .executeTakeFirst()
  if (!archive) return undefined
  const lock = await database
    .selectFrom('artifact_lock')
    .select('ref')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('pipeline_id', '=', pipeline_id),
        eb(
          'pipeline_id',
          '=',
          selectFrom('downstream_pipeline').select('root_id').where('pipeline_id', '=', pipeline_id),
        ),
      ]),
    )
    .executeTakeFirst()
  return {
    expireAt: archive.expire_at,
    isDeleted: archive.blob_key === '',
    keptFor: lock?.ref ?? null,
  }
}

/** A query of the latest attempts of the jobs of a pipeline. */
function latestAttempts(database: Database, pipelineId: number) {
  return database
    .selectFrom('job')
    .select(['id', 'name', 'status'])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
}

/** The latest attempts of the needed jobs. */
export function findNeeded(
  database: Database,
  { id, pipeline_id }: Pick<JobRow, 'id' | 'pipeline_id'>,
): Promise<LinkedJob[]> {
  return latestAttempts(database, pipeline_id)
    .where('name', 'in', ({ selectFrom }) =>
      selectFrom('job_need').select('job_need.name').where('job_need.job_id', '=', id),
    )
    .orderBy('stage_index')
    .orderBy('id')
    .execute()
}

/** The latest attempts of the jobs that need the job. */
export function findNeeding(
  database: Database,
  { pipeline_id, name }: Pick<JobRow, 'pipeline_id' | 'name'>,
): Promise<LinkedJob[]> {
  return database
    .selectFrom('job')
    .innerJoin('job_need', 'job_need.job_id', 'job.id')
    .select(['job.id', 'job.name', 'job.status'])
    .where('job.pipeline_id', '=', pipeline_id)
    .where('job.retried', '=', false)
    .where('job_need.name', '=', name)
    .orderBy('job.stage_index')
    .orderBy('job.id')
    .execute()
}

/** Jobs of earlier stages that are not over. A manual job that may fail does not delay later stages. */
export function findUnfinishedBefore(
  database: Database,
  { pipeline_id, stage_index }: Pick<JobRow, 'pipeline_id' | 'stage_index'>,
): Promise<LinkedJob[]> {
  return latestAttempts(database, pipeline_id)
    .where('stage_index', '<', stage_index)
    .where('status', 'not in', COMPLETED_STATUSES)
    .where(({ or, eb }) => or([eb('status', '!=', 'manual'), eb('allow_failure', '=', false)]))
    .orderBy('stage_index')
    .orderBy('id')
    .execute()
}

export function findEnvironmentName(database: Database, id: number) {
  return database.selectFrom('environment').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

export function findGroupOfJob(database: Database, id: number) {
  return database.selectFrom('resource_group').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findLinkedJob(database: Database, id: number): Promise<LinkedJob | undefined> {
  return database.selectFrom('job').select(['id', 'name', 'status']).where('id', '=', id).executeTakeFirst()
}

/** Longer queues of a resource are not counted. */
const MAX_POSITION = 1000

/** The position of a job among those that wait for a resource, from 1; null if it is far behind. */
export async function findPlaceInGroup(
  database: Database,
  group: Parameters<typeof upcomingJobs>[1],
  jobId: number,
): Promise<number | null> {
  const upcoming = await upcomingJobs(database, group).select('id').limit(MAX_POSITION).execute()
  const index = upcoming.findIndex(({ id }) => id === jobId)
  return index < 0 ? null : index + 1
}

/** Names of the variables that a user set when the job was started. */
export async function findPlayedKeys(database: Database, jobId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('job_variable')
    .select('key')
    .where('job_id', '=', jobId)
    .where('source', '=', 'played')
    .orderBy('id')
    .execute()
  return rows.map(({ key }) => key)
}

const SUCCESSES = 10

/** Run times of the last successes of a job on its ref, in milliseconds. */
export async function findRunTimes(
  database: Database,
  { project_id, ref, tag, name }: Pick<JobRow, 'project_id' | 'ref' | 'tag' | 'name'>,
): Promise<number[]> {
  const rows = await database
    .selectFrom('job')
    .select(sql<number>`finished_at - started_at`.as('duration'))
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('name', '=', name)
    // A literal, so that the index of successful jobs is used.
    .where('status', '=', sql.lit('success'))
    .where('started_at', 'is not', null)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(SUCCESSES)
    .execute()
  return rows.map(({ duration }) => duration)
}

/** Whether a runner holds the job now. */
export async function isHeld(database: Database, jobId: number, now: number): Promise<boolean> {
  const hold = await database
    .selectFrom('job_hold')
    .select('job_id')
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .where('until', '>', now)
    .executeTakeFirst()
  return hold !== undefined
}

/** Whether shells open in a job that runs, by its runner or at the session server of the runner. */
export async function opensShells(
  database: Database,
  job: Pick<JobRow, 'id' | 'status' | 'runner_id' | 'runner_system_id'>,
): Promise<boolean> {
  if (job.status !== 'running') return false
  return (await reportsShells(database, job)) || (await hasRunnerSession(database, job.id))
}

/** Whether the machine that runs the job has reported that it opens shells in running jobs. */
export async function reportsShells(
  database: Database,
  { status, runner_id, runner_system_id }: Pick<JobRow, 'status' | 'runner_id' | 'runner_system_id'>,
): Promise<boolean> {
  if (status !== 'running' || runner_id === null || runner_system_id === null) return false
  const manager = await database
    .selectFrom('runner_manager')
    .select('features')
    .where('runner_id', '=', runner_id)
    .where('system_id', '=', runner_system_id)
    .executeTakeFirst()
  return manager?.features['job_terminals'] === true
}
