import type { ConfigData } from '../../../ci-config/plan.js'
import type { DefaultJson, Id, Timestamp } from '../columns.js'

/** Pipelines of one branch or tag that start by the clock. */
export interface PipelineScheduleTable {
  id: Id
  project_id: number
  /** Its pipelines run with this user's rights. */
  owner_id: number
  description: string
  /** `refs/heads/<name>` or `refs/tags/<name>`. */
  ref: string
  cron: string
  /** Values for the inputs of the CI file, by their names. */
  inputs: DefaultJson<Record<string, ConfigData>>
  /** IANA name. */
  cron_timezone: string
  /** Null when the cron expression has no further time. */
  next_run_at: Timestamp | null
  active: boolean
  /** Why the last run made no pipeline, or why the schedule was deactivated; null when all is well. */
  last_failure: string | null
  /** When somebody last ran it out of turn. */
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
