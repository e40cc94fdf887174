import type { Default, Id, Timestamp } from '../columns.js'
import type { IssueLinkType } from './issues.js'

/** A goal of a group, above the issues of its projects (API, F5). */
export interface EpicTable {
  id: Id
  group_id: number
  /** Number within the group; never used again. */
  iid: number
  title: string
  description: string | null
  state: Default<'opened' | 'closed'>
  author_id: number
  /** `YYYY-MM-DD`; null = none. */
  start_date: string | null
  due_date: string | null
  closed_at: Timestamp | null
  /** The epic of which it is a child. */
  parent_id: number | null
  /** Order among the children of the parent. */
  parent_position: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** An issue of an epic; an issue has one epic at most. */
export interface EpicIssueTable {
  id: Id
  epic_id: number
  issue_id: number
  /** Order within the epic. */
  position: number
  created_at: Timestamp
}

/** A link from one epic to another. `relates_to` has no direction. */
export interface EpicLinkTable {
  id: Id
  source_id: number
  target_id: number
  link_type: IssueLinkType
  created_at: Timestamp
  updated_at: Timestamp
}
