import type { Default, Id, Timestamp } from '../columns.js'

/** States that other systems may report for a commit (API, E3). */
export const REPORTED_STATES = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const

export type ReportedState = (typeof REPORTED_STATES)[number]

export interface CommitStatusTable {
  /** Shares the ID sequence of jobs. */
  id: Id
  project_id: number
  /** The pipeline whose status includes it. */
  pipeline_id: number
  stage_id: number
  name: string
  status: ReportedState
  ref: string
  target_url: string | null
  description: string | null
  coverage: number | null
  /** Whether the pipeline has a newer status of this name. */
  retried: Default<boolean>
  /** ID of the user who reported it. */
  user_id: number
  created_at: Timestamp
  updated_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
}
