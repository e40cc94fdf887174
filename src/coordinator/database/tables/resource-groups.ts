import type { Default, Id, Timestamp } from '../columns.js'

/** Order in which waiting jobs get the resource (CI language, 12.8). */
export const PROCESS_MODES = ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'] as const

export type ProcessMode = (typeof PROCESS_MODES)[number]

/** One resource per project and key. */
export interface ResourceGroupTable {
  id: Id
  project_id: number
  key: string
  process_mode: Default<ProcessMode>
  /** The job that holds the resource; a job that has ended no longer holds it. */
  job_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
}
