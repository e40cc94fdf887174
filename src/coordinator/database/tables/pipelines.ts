import type {
  JobOptions,
  JobWhen,
  PlannedAutoCancel,
  PlannedEnvironment,
  PlannedTrigger,
  PlannedVariable,
} from '../../../ci-config/plan.js'
import type { FailureReason } from '../../../protocol/failure-reason.js'
import type { Default, DefaultJson, Id, Json, NullableJson, Timestamp } from '../columns.js'
import type { BridgeFailureReason, JobStatus, MissingCapability, PendingReason } from './job-columns.js'

/** The composite of a set of jobs (CI language, 11.1). */
export type CompositeStatus = JobStatus

export interface PipelineTable {
  id: Id
  /** Counter of the project. */
  iid: number
  project_id: number
  /** Who caused it. */
  user_id: number
  ref: string
  tag: boolean
  sha: string
  /** 40 zeros when there is none. */
  before_sha: string
  source: string
  /** The schedule that caused it, while there is one. */
  pipeline_schedule_id: number | null
  /** Of the trigger token that caused it: its first characters, and what came with it. */
  trigger_short_token: string | null
  trigger_payload_encrypted: string | null
  /** `workflow:name`; null = none. */
  name: string | null
  status: CompositeStatus
  /** Whether the ref was protected when the pipeline was created; jobs inherit it. */
  protected: boolean
  yaml_errors: string | null
  /** What the file did that is better done otherwise; kept also when the file is wrong (CI language, 9.5). */
  warnings: DefaultJson<string[]>
  failure_reason: string | null
  on_new_commit: Default<PlannedAutoCancel['onNewCommit']>
  on_job_failure: Default<PlannedAutoCancel['onJobFailure']>
  /** The newer pipeline that made it, or some of its jobs, redundant; that one may have been deleted since. */
  auto_canceled_by_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
  /** Seconds in which at least one of its jobs ran. */
  duration: number | null
}

export interface PipelineVariableTable {
  id: Id
  pipeline_id: number
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
  /** References inside the value are left alone. */
  raw: Default<boolean>
}

export interface StageTable {
  id: Id
  pipeline_id: number
  name: string
  position: number
  status: CompositeStatus
}

/** What is kept of a job beside its columns. */
export interface StoredJobOptions extends JobOptions {
  environment?: PlannedEnvironment
  /** Position among the instances of one job, from 1. */
  parallel?: { index: number; total: number }
  /** What a trigger job starts. */
  trigger?: PlannedTrigger
  /** Path of the project whose latest pipeline status a trigger job takes over. */
  mirrors?: string
}

export interface JobTable {
  id: Id
  /** `bridge` = a trigger job: no runner has to do with it (CI language, 13). */
  kind: Default<'build' | 'bridge'>
  project_id: number
  pipeline_id: number
  stage_id: number
  stage: string
  /** Position of the stage in the file's full list. */
  stage_index: number
  name: string
  status: JobStatus
  when: JobWhen
  allow_failure: boolean
  scheduling_type: 'stage' | 'dag'
  /** Whether a newer pipeline of the ref may cancel it. */
  interruptible: Default<boolean>
  /** Among the waiting jobs of the project the greater one goes first (ci/queue/partitions.ts). */
  priority: Default<number>
  /** Seconds to wait once its turn has come; null unless `when` is `delayed`. */
  start_in: number | null
  options: Json<StoredJobOptions>
  yaml_variables: Json<PlannedVariable[]>
  tag_list: Json<string[]>
  /** The resource that it holds from the end of its waiting until it has ended; null = none (CI language, 12.8). */
  resource_group_id: number | null
  /** What it deploys to, or else has to do with; null = none, or none that could be made (CI language, 15.1). */
  environment_id: number | null
  environment_action: PlannedEnvironment['action'] | null
  ref: string
  tag: boolean
  protected: boolean
  /** Who caused the pipeline, or played or retried this job. */
  user_id: number
  /** A newer attempt of the same name exists. */
  retried: Default<boolean>
  failure_reason: FailureReason | BridgeFailureReason | null
  /** What a job that was given up as stuck waited for in vain (CI language, 12.10), or one that was not handed out lacks. */
  waited_for: NullableJson<PendingReason | MissingCapability>
  exit_code: number | null
  /** Why a trigger job's pipeline could not be made, one sentence a line. */
  downstream_errors: string | null
  /** The newer pipeline that made it redundant. */
  auto_canceled_by_id: number | null
  runner_id: number | null
  /** The machine of the runner: the id that it has given itself; null while no machine has the job. */
  runner_system_id: string | null
  /** Whether the runner that has the job can end it gracefully (runner protocol, 1.3, `cancel_gracefully`). */
  cancel_gracefully: Default<boolean>
  /** SHA-256 of the job token; null while nobody may use one. */
  token_digest: string | null
  /** The last `token_digest`, once that is void: its holder may learn the status of the job, and nothing else. */
  ended_token_digest: Default<string | null>
  /** Seconds; fixed when the job starts (CI language, 12.9). */
  timeout: number | null
  created_at: Timestamp
  updated_at: Timestamp
  /** When a scheduled job is to start; null in every other status. */
  scheduled_at: Timestamp | null
  queued_at: Timestamp | null
  started_at: Timestamp | null
  finished_at: Timestamp | null
  erased_at: Timestamp | null
  /** Whether the log shows every command and variable: `CI_DEBUG_TRACE`, `CI_DEBUG_SERVICES`. */
  debug_trace: Default<boolean>
  /** Length of the log; null until the job has ended, and when no runner had it. */
  trace_bytes: number | null
  /** Found in the log when the job ended (CI language, 17.1); null = none. */
  coverage: number | null
}

export interface JobNeedTable {
  job_id: number
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
  /** Typed when the job was played, or left by the job for those that fetch its artifacts (CI language, 8.5). */
  source: Default<'played' | 'dotenv'>
}
