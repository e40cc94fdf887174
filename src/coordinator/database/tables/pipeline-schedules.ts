import type { ConfigData } from '../../../ci-config/plan.js'
import type { DefaultJson, Id, Timestamp } from '../columns.js'

/** A schedule of pipelines for one branch or tag. */
export interface PipelineScheduleTable {
  id: Id
  project_id: number
  /** Its pipelines run with the permissions of this user. */
  owner_id: number
  description: string
  /** `refs/heads/<name>` or `refs/tags/<name>`. */
  ref: string
  cron: string
  /** Values of inputs of the CI file, by name. */
  inputs: DefaultJson<Record<string, ConfigData>>
  /** IANA name of the time zone. */
  cron_timezone: string
  /** Null if the cron expression has no further time. */
  next_run_at: Timestamp | null
  active: boolean
  /** Why the last run created no pipeline, or why the schedule was deactivated; null without a problem. */
  last_failure: string | null
  /** Time of the last manual run. */
  played_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface PipelineScheduleVariableTable {
  id: Id
  schedule_id: number
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
}
