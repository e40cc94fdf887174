import type { Id, Timestamp } from '../columns.js'

/** A comment on a commit, or on a line of its diff. */
export interface CommitCommentTable {
  id: Id
  project_id: number
  sha: string
  author_id: number | null
  note: string
  path: string | null
  line: number | null
  line_type: 'new' | 'old' | null
  created_at: Timestamp
}
