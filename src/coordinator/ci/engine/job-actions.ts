import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { StoredJobOptions } from '../../database/tables/pipelines.js'
import { isCancelable, isRetryable } from './job-status.js'

/** What a user can do with a job. */
export const JOB_ACTIONS = ['play', 'unschedule', 'retry', 'cancel'] as const

export type JobAction = (typeof JOB_ACTIONS)[number]

type ActedOn = Pick<JobRow, 'status' | 'retried' | 'failure_reason' | 'started_at'> & {
  options: Pick<StoredJobOptions, 'mirrors'>
}

/** The actions that the state of a job allows. Permissions and protected environments may refuse them. */
export function actionsOn(job: ActedOn, { isArchived }: { isArchived: boolean }): JobAction[] {
  const allowed = {
    play: waitsForUser(job) && !isArchived,
    unschedule: job.status === 'scheduled',
    retry: isRetryable(job) && !isArchived,
    cancel: isCancelable(job.status),
  }
  return JOB_ACTIONS.filter((action) => allowed[action])
}

/**
 * Whether the job is a manual one that can start, or a delayed one. A trigger job that has started may be
 * `manual` because the pipeline is that it mirrors.
 */
export function waitsForUser({ status, started_at }: Pick<JobRow, 'status' | 'started_at'>): boolean {
  return (status === 'manual' || status === 'scheduled') && started_at === null
}
