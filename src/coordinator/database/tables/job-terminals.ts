import type { Json, Timestamp } from '../columns.js'

/** A shell in a job, from its request until its end. What passes through it is not stored. */
export interface JobTerminalTable {
  /** Random; the last part of the address. */
  key: string
  job_id: number
  user_id: number
  /** SHA-256 of the ticket that opens the socket of the person, once. */
  ticket_digest: string
  command: Json<string[]>
  /** 0 for a command without a terminal. */
  columns: number
  rows: number
  created_at: Timestamp
  /** When the ticket was used. */
  opened_at: Timestamp | null
  /** When its coordinator last recorded that it is open. */
  seen_at: Timestamp | null
  /** When the runner connected. */
  joined_at: Timestamp | null
  /** When the person has left; set once it is in the audit trail. */
  left_at: Timestamp | null
  ended_at: Timestamp | null
}
