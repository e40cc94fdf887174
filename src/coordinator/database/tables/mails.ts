import type { Default, Id, Json, Timestamp } from '../columns.js'

/** A mail that was not sent yet. */
export interface MailTable {
  id: Id
  /** The recipient, with whom unsent mails are deleted; null for an address without an account. */
  user_id: number | null
  /** A `MailContent` as JSON. */
  content_encrypted: string
  /** Number of attempts that were begun. */
  attempts: Default<number>
  /** Time of the next attempt; while one is made, the time at which it counts as abandoned. */
  due_at: Timestamp
  created_at: Timestamp
}

/** The subject of a notice: the kind of its facts. */
export type NoticeKind = 'issue' | 'merge_request' | 'note' | 'pipeline' | 'release' | 'moved_project'

/** A change about which mails are to be sent, once their recipients are found. */
export interface MailNoticeTable {
  id: Id
  project_id: number
  kind: NoticeKind
  facts: Json<object>
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}
