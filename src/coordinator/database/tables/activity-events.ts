import type { RefKind } from '../../../git/names.js'
import type { Id, Timestamp } from '../columns.js'

type ActivityAction =
  | 'created'
  | 'pushed'
  | 'joined'
  | 'left'
  | 'expired'
  | 'closed'
  | 'reopened'
  | 'merged'
  | 'approved'
  | 'commented'
  | 'updated'
  | 'destroyed'

export type PushAction = 'created' | 'pushed' | 'removed'

/** An activity of a user in a project (API, G8). */
export interface ActivityTable {
  id: Id
  project_id: number
  author_id: number
  action: ActivityAction
  /** The object of the activity; at most one of these is set. */
  issue_id: number | null
  merge_request_id: number | null
  milestone_id: number | null
  wiki_page_id: number | null
  /** The comment. */
  note_id: number | null
  /** Kind of the pushed ref; null for other activity, as are the columns below. */
  ref_kind: RefKind | null
  /** Name of the branch or tag. */
  ref: string | null
  /** Null = the ref was created. */
  commit_from: string | null
  /** Null = the ref was deleted. */
  commit_to: string | null
  /** Null until first requested, because git must count them. */
  commit_count: number | null
  /** Title of the newest commit; null = not requested yet, or no commit. */
  commit_title: string | null
  /** What a push did to many refs; null for a single ref, which the other columns describe. */
  push_action: PushAction | null
  /** Number of these refs. */
  ref_count: number | null
  created_at: Timestamp
}
