import type { Default, Id, Timestamp } from '../columns.js'

type IssueState = 'opened' | 'closed'
type IssueType = 'issue' | 'incident' | 'test_case' | 'task'
export type IssueLinkType = 'relates_to' | 'blocks'

/** An issue of a project (API, F1). */
export interface IssueTable {
  id: Id
  project_id: number
  /** Number within the project; never used again. */
  iid: number
  title: string
  description: string | null
  state: Default<IssueState>
  issue_type: Default<IssueType>
  author_id: number
  /** Whether only its author, its assignees and members from the reporter role on see it. */
  confidential: Default<boolean>
  /** Whether only members may comment; null = never set. */
  discussion_locked: boolean | null
  milestone_id: number | null
  /** `YYYY-MM-DD`; null = none. */
  due_date: string | null
  weight: number | null
  /** Numbers of the emoji `thumbsup` and `thumbsdown`. */
  upvotes: Default<number>
  downvotes: Default<number>
  /** Place in the order that users define; null = never set. */
  relative_position: number | null
  /** In seconds. */
  time_estimate: Default<number>
  /** In seconds. */
  total_time_spent: Default<number>
  closed_at: Timestamp | null
  closed_by_id: number | null
  /** The issue in another project that this one became. */
  moved_to_id: number | null
  updated_by_id: number | null
  /** Time of the last change of title or description. */
  last_edited_at: Timestamp | null
  last_edited_by_id: number | null
  /** Program and address from which it was created. */
  user_agent: string | null
  ip_address: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface IssueAssigneeTable {
  issue_id: number
  user_id: number
  /** Order of the assignees; the first one is `assignee` of the record. */
  position: number
}

/** A user's wish about notifications for an issue; without one, participants are subscribed. */
export interface IssueSubscriptionTable {
  issue_id: number
  user_id: number
  subscribed: boolean
}

export interface IssueLinkTable {
  id: Id
  source_id: number
  target_id: number
  link_type: IssueLinkType
  created_at: Timestamp
  updated_at: Timestamp
}
