import type { Id, Timestamp } from '../columns.js'

/** What somebody says of a commit, or of a line that it changed. */
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
