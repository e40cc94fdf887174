import type { Default, Id, Json, Timestamp } from '../columns.js'

/** A pending job, with the facts for matching it; the row is deleted when the job is no longer pending. */
export interface QueueEntryTable {
  job_id: number
  project_id: number
  tag_set_id: number
  protected: boolean
  instance_runners_allowed: boolean
  /** Among the jobs of a project, those with a higher priority run first. */
  priority: Default<number>
  queued_at: Timestamp
}

/** A distinct set of job tags: matching tests the few sets, not the many jobs. */
export interface TagSetTable {
  id: Id
  /** JSON of the sorted tags; unique. */
  key: string
  tags: Json<string[]>
}

/** Lease of a running job: its runner and expiry time (architecture, decision 7). */
export interface LeaseTable {
  job_id: number
  runner_id: number
  /** Project of the job; rows with `instance_runner` count for fair scheduling (CI language, 14.2). */
  project_id: number
  instance_runner: boolean
  expires_at: Timestamp
  /**
   * False until the first trace patch or update. Until then the job may return to the queue, because it has
   * not started.
   */
  heard_from: boolean
}
