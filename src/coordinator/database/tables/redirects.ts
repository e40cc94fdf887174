import type { Timestamp } from '../columns.js'

/** A former path of a project or a namespace (API, A6). */
export interface RedirectTable {
  /** Full path; unique, case-insensitive. */
  path: string
  /** One of the two is set. */
  project_id: number | null
  namespace_id: number | null
  created_at: Timestamp
}
