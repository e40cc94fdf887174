import type {
  JobOptions,
  JobWhen,
  PlannedAutoCancel,
  PlannedEnvironment,
  PlannedTrigger,
  PlannedVariable,
} from '../../../ci-config/plan.js'
import type { BridgeFailureReason } from '../../../error-catalogue/failure-reasons.js'
import type { FailureReason } from '../../../protocol/failure-reason.js'
import type { Default, DefaultJson, Id, Json, NullableJson, Timestamp } from '../columns.js'
import type { JobStatus, MissingCapability, PendingReason } from './job-columns.js'

/** Composite status of a set of jobs (CI language, 11.1). */
export type CompositeStatus = JobStatus

export interface PipelineTable {
  id: Id
  /** Number within the project. */
  iid: number
  project_id: number
  /** User who triggered it. */
  user_id: number
  /** Short name of a branch or tag; `refs/merge-requests/<iid>/head` for a merge request. */
  ref: string
  tag: boolean
  /** Its merge request, or that of its parent pipeline; null = none, or it was deleted. */
  merge_request_id: number | null
  sha: string
  /** 40 zeros if there is none. */
  before_sha: string
  source: string
  /** Schedule that created it; null for others, or if the schedule was deleted. */
  pipeline_schedule_id: number | null
  /** First characters of the trigger token that created it, and the payload of the request. */
  trigger_short_token: string | null
  trigger_payload_encrypted: string | null
  /** `workflow:name`; null = none. */
  name: string | null
  status: CompositeStatus
  /** Whether the ref was protected when the pipeline was created; jobs inherit it. */
  protected: boolean
  /** Whether it was created in a freeze period of the project. */
  deploy_freeze: Default<boolean>
  yaml_errors: string | null
  /** Warnings about the CI file; kept even if the file is invalid (CI language, 9.5). */
  warnings: DefaultJson<string[]>
  failure_reason: string | null
  on_new_commit: Default<PlannedAutoCancel['onNewCommit']>
  on_job_failure: Default<PlannedAutoCancel['onJobFailure']>
  /** The newer pipeline that made this one or some of its jobs redundant; it may have been deleted. */
  auto_canceled_by_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
  /** Time in which at least one of its jobs ran, in seconds. */
  duration: number | null
}

export interface PipelineVariableTable {
  id: Id
  pipeline_id: number
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
  /** Whether references inside the value are not expanded. */
  raw: Default<boolean>
}

export interface StageTable {
  id: Id
  pipeline_id: number
  name: string
  position: number
  status: CompositeStatus
}

/** Options of a job that have no column. */
export interface StoredJobOptions extends JobOptions {
  environment?: PlannedEnvironment
  /** Index among the instances of a parallel job, from 1. */
  parallel?: { index: number; total: number }
  /** What a trigger job starts. */
  trigger?: PlannedTrigger
  /** Path of the project whose latest pipeline status a trigger job mirrors. */
  mirrors?: string
}

export interface JobTable {
  id: Id
  /** `bridge` = a trigger job, which runs without a runner (CI language, 13). */
  kind: Default<'build' | 'bridge'>
  project_id: number
  pipeline_id: number
  stage_id: number
  stage: string
  /** Index of the stage in all stages of the CI file. */
  stage_index: number
  name: string
  status: JobStatus
  when: JobWhen
  allow_failure: boolean
  scheduling_type: 'stage' | 'dag'
  /** Whether a newer pipeline of the ref may cancel it. */
  interruptible: Default<boolean>
  /** Among the pending jobs of a project, those with a higher priority run first (ci/queue/partitions.ts). */
  priority: Default<number>
  /** Delay after the job is due, in seconds; null unless `when` is `delayed`. */
  start_in: number | null
  options: Json<StoredJobOptions>
  yaml_variables: Json<PlannedVariable[]>
  tag_list: Json<string[]>
  /**
   * Resource group that the job holds from the end of its wait until it ends; null = none (CI language,
   * 12.8).
   */
  resource_group_id: number | null
  /** Environment of the job; null = none, or it could not be created (CI language, 15.1). */
  environment_id: number | null
  environment_action: PlannedEnvironment['action'] | null
  ref: string
  tag: boolean
  protected: boolean
  /** User who triggered the pipeline, or played or retried this job. */
  user_id: number
  /** Whether a newer attempt of the same name exists. */
  retried: Default<boolean>
  failure_reason: FailureReason | BridgeFailureReason | null
  /**
   * Pending reason of a job that failed as stuck (CI language, 12.10), or missing capability of one that
   * could not be dispatched.
   */
  waited_for: NullableJson<PendingReason | MissingCapability>
  exit_code: number | null
  /** Why the pipeline of a trigger job could not be created, one sentence per line. */
  downstream_errors: string | null
  /** The newer pipeline that made it redundant. */
  auto_canceled_by_id: number | null
  runner_id: number | null
  /** System ID of the runner manager that runs the job; null while the job is not assigned. */
  runner_system_id: string | null
  /**
   * Whether the runner of the job supports graceful cancellation (runner protocol, 1.3, `cancel_gracefully`).
   */
  cancel_gracefully: Default<boolean>
  /** SHA-256 of the job token; null while no token is valid. */
  token_digest: string | null
  /** The last `token_digest` after its end: its holder may only read the status of the job. */
  ended_token_digest: Default<string | null>
  /** In seconds; fixed when the job starts (CI language, 12.9). */
  timeout: number | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Start time of a scheduled job; null in every other status. */
  scheduled_at: Timestamp | null
  queued_at: Timestamp | null
  started_at: Timestamp | null
  finished_at: Timestamp | null
  erased_at: Timestamp | null
  /** Whether the log shows every command and variable: `CI_DEBUG_TRACE`, `CI_DEBUG_SERVICES`. */
  debug_trace: Default<boolean>
  /** Length of the log, in bytes; null until the job has ended, and if no runner had it. */
  trace_bytes: number | null
  /** Coverage found in the log at the end of the job (CI language, 17.1); null = none. */
  coverage: number | null
  /**
   * Whether it has stored what dependent jobs get, an archive or dotenv variables, even if that is gone by now, or was
   * erased and declares artifacts.
   */
  has_outputs: Default<boolean>
}

export interface JobNeedTable {
  job_id: number
  /** That of the job, so that the jobs that need one are found by its name. */
  pipeline_id: number
  name: string
  artifacts: boolean
  optional: boolean
}

/** Variables of one job. */
export interface JobVariableTable {
  id: Id
  job_id: number
  key: string
  value_encrypted: string
  /**
   * Set when the job was played, or exported by the job for jobs that download its artifacts (CI language,
   * 8.5).
   */
  source: Default<'played' | 'dotenv'>
}
