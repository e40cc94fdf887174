import type { RefKind } from '../../../git/names.js'
import type { Id, Timestamp } from '../columns.js'

export type ActivityAction = 'created' | 'pushed' | 'joined' | 'left' | 'expired'

/** Something that somebody did in a project (API, G8). */
export interface ActivityTable {
  id: Id
  project_id: number
  author_id: number
  action: ActivityAction
  /** Of what was pushed; null for everything else, as are the columns below. */
  ref_kind: RefKind | null
  /** Name of the branch or tag. */
  ref: string | null
  /** Null = the ref is new. */
  commit_from: string | null
  /** Null = the ref has gone. */
  commit_to: string | null
  /** Null until somebody asks: it takes git to count them. */
  commit_count: number | null
  /** First line of the newest commit's message; null = not asked for yet, or none. */
  commit_title: string | null
  created_at: Timestamp
}
