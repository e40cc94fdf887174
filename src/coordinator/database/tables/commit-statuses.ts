import type { Default, Id, Timestamp } from '../columns.js'

/** What another system may say of a commit (API, E3). */
export const REPORTED_STATES = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const

export type ReportedState = (typeof REPORTED_STATES)[number]

export interface CommitStatusTable {
  /** No job has the same. */
  id: Id
  project_id: number
  /** The pipeline whose status it counts into. */
  pipeline_id: number
  stage_id: number
  name: string
  status: ReportedState
  ref: string
  target_url: string | null
  description: string | null
  coverage: number | null
  /** There is a newer one of this name in the pipeline. */
  retried: Default<boolean>
  /** Who said so. */
  user_id: number
  created_at: Timestamp
  updated_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
}
