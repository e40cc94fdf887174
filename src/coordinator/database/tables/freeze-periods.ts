import type { Id, Timestamp } from '../columns.js'

/** A period in which the pipelines of a project get `CI_DEPLOY_FREEZE`. It repeats. */
export interface FreezePeriodTable {
  id: Id
  project_id: number
  /** Cron expressions of the times at which it begins and ends. */
  freeze_start: string
  freeze_end: string
  /** Time zone of both. */
  cron_timezone: string
  created_at: Timestamp
  updated_at: Timestamp
}
