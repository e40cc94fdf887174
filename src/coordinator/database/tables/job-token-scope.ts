import type { Timestamp } from '../columns.js'

/** A project on the job token allowlist of another one. */
export interface JobTokenProjectTable {
  /** Project of the allowlist. */
  project_id: number
  allowed_project_id: number
  created_at: Timestamp
}

/** A group on the job token allowlist of a project; it includes the projects of its subgroups. */
export interface JobTokenGroupTable {
  /** Project of the allowlist. */
  project_id: number
  allowed_group_id: number
  created_at: Timestamp
}
