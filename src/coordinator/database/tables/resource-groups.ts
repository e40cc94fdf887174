import type { Default, Id, Timestamp } from '../columns.js'

/** Which of the jobs that wait for a resource gets it next (CI language, 12.8). */
export const PROCESS_MODES = ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'] as const

export type ProcessMode = (typeof PROCESS_MODES)[number]

/** One resource per project and key. */
export interface ResourceGroupTable {
  id: Id
  project_id: number
  key: string
  process_mode: Default<ProcessMode>
  /** The job that has the resource; one that has ended holds it no more. */
  job_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
}
