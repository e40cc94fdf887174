import type { Timestamp } from '../columns.js'

/** Where a project or a namespace lay before it was renamed or moved (API, A6). */
export interface RedirectTable {
  /** In full, as it was; told apart without regard to case. */
  path: string
  /** One of the two is set. */
  project_id: number | null
  namespace_id: number | null
  created_at: Timestamp
}
