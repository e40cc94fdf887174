import type { Default, Id, Json, Timestamp } from '../columns.js'

/** A pending job, with the snapshot that matching needs; the row leaves when the job is no longer pending. */
export interface QueueEntryTable {
  job_id: number
  project_id: number
  tag_set_id: number
  protected: boolean
  instance_runners_allowed: boolean
  /** Of two jobs of a project the one with the greater priority goes first. */
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

/** Who holds a running job, and until when (architecture, decision 7). */
export interface LeaseTable {
  job_id: number
  runner_id: number
  /** Of the job; with `instance_runner` it counts what fairness compares (CI language, 14.2). */
  project_id: number
  instance_runner: boolean
  expires_at: Timestamp
  /** False until the first trace patch or update: the job may then go back to the queue, for nothing had begun. */
  heard_from: boolean
}
