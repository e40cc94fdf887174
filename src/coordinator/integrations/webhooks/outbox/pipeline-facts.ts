import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'

/** Columns of a job that payloads contain and that may change. */
export const JOB_COLUMNS = [
  'id',
  'name',
  'stage',
  'stage_index',
  'status',
  'when',
  'allow_failure',
  'failure_reason',
  'ref',
  'tag',
  'user_id',
  'runner_id',
  'environment_id',
  'environment_action',
  'retried',
  'created_at',
  'queued_at',
  'started_at',
  'finished_at',
] as const satisfies (keyof JobRow)[]

export type JobState = Pick<JobRow, (typeof JOB_COLUMNS)[number]>

export const PIPELINE_COLUMNS = [
  'id',
  'iid',
  'name',
  'user_id',
  'ref',
  'tag',
  'sha',
  'before_sha',
  'source',
  'status',
  'created_at',
  'started_at',
  'finished_at',
  'duration',
] as const satisfies (keyof PipelineRow)[]

export type PipelineState = Pick<PipelineRow, (typeof PIPELINE_COLUMNS)[number]>

/** A job with the state that it had after a status change. */
export interface JobFacts {
  job: JobState
  pipeline: PipelineState
}

/** A pipeline with the state that it had after a status change, with the latest attempts of its jobs. */
export interface PipelineFacts {
  pipeline: PipelineState
  jobs: JobState[]
}

export interface DeploymentFacts {
  id: number
  jobId: number | null
  environmentId: number
  userId: number
  status: string
  ref: string
  sha: string
  /** Milliseconds since the epoch. */
  changedAt: number
}

const BEFORE_QUEUE: readonly JobStatus[] = [
  'created',
  'preparing',
  'waiting_for_resource',
  'waiting_for_callback',
  'manual',
  'scheduled',
]
const BEFORE_START: readonly JobStatus[] = [...BEFORE_QUEUE, 'pending']

/**
 * The job in an earlier status of the same transaction: fields that were set later are cleared. The job is
 * returned unchanged for its current status.
 */
export function stateIn(status: JobStatus, job: JobState): JobState {
  if (status === job.status) return job
  return {
    ...job,
    status,
    failure_reason: null,
    finished_at: null,
    ...(BEFORE_START.includes(status) && { started_at: null, runner_id: null }),
    ...(BEFORE_QUEUE.includes(status) && { queued_at: null }),
  }
}
