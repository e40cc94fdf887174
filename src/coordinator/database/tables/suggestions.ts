import type { Id } from '../columns.js'

/** A change that a comment on a line of a diff suggests. */
export interface SuggestionTable {
  id: Id
  note_id: number
  /** Number of lines above and below the line of the comment that it replaces, too. */
  lines_above: number
  lines_below: number
  /** The replaced lines, as they were when the comment was written. */
  from_content: string
  /** What replaces them; empty to remove them. */
  to_content: string
  /** The commit that has applied it; null = none has. */
  commit_sha: string | null
}
