import type { Id, Timestamp } from '../columns.js'

/** An emoji that a user gave an issue or a merge request (API, G5): one of the two columns is set. */
export interface AwardEmojiTable {
  id: Id
  issue_id: number | null
  merge_request_id: number | null
  note_id: number | null
  snippet_id: number | null
  user_id: number
  /** Name without colons: `thumbsup`. */
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}
