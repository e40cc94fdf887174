import type { Id, NullableJson, Timestamp } from '../columns.js'
import type { NotePosition } from './notes.js'

/** A comment on a merge request that its author has not published, and that nobody else sees (API, G2). */
export interface DraftNoteTable {
  id: Id
  merge_request_id: number
  author_id: number
  /** Text in Markdown. */
  note: string
  /** The discussion to which it replies; null = it starts one, or is a comment of its own. */
  discussion_id: string | null
  /** Whether publishing it resolves the discussion, or opens it again; null = neither. */
  resolve_discussion: boolean | null
  /** The commit that its author read; published comments have none. */
  commit_id: string | null
  /** Null for a reply, and for a comment that is on no line. */
  position: NullableJson<NotePosition>
  line_code: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
