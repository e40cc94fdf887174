import type { Timestamp } from '../columns.js'

/** The wiki of a project, whose pages are in a git repository of its own. Projects without one have no row. */
export interface WikiTable {
  project_id: number
  /** The commit up to which events were emitted; null = none. */
  head_sha: string | null
  /** Of the repository, in bytes. */
  size: number
  updated_at: Timestamp
}
