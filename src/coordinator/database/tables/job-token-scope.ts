import type { Timestamp } from '../columns.js'

/** A project whose jobs are let into another one with their tokens. */
export interface JobTokenProjectTable {
  /** The one that lets them in. */
  project_id: number
  allowed_project_id: number
  created_at: Timestamp
}

/** A group, of which the jobs of all projects in it and in its subgroups are. */
export interface JobTokenGroupTable {
  /** The project that lets them in. */
  project_id: number
  allowed_group_id: number
  created_at: Timestamp
}
