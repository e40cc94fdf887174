import type { Id, Json, Timestamp } from '../columns.js'

/** A message of administrators on the pages. */
export interface BroadcastMessageTable {
  id: Id
  /** Markdown. */
  message: string
  /** It is shown from this time until before `ends_at`. */
  starts_at: Timestamp
  ends_at: Timestamp
  broadcast_type: 'banner' | 'notification'
  /** Name of its colours. */
  theme: string
  /** Background colour in place of that of the theme. */
  color: string | null
  /** Text colour in place of that of the theme. */
  font: string | null
  /** Path of the pages that show it, where `*` stands for any text; empty = all pages. */
  target_path: string
  /** Access levels in the project or group of a page; empty = everybody, on all pages. */
  target_access_levels: Json<number[]>
  /** Whether readers can close it. */
  dismissable: boolean
  created_at: Timestamp
  updated_at: Timestamp
}
