import type { Timestamp } from '../columns.js'

/** Number of failures of a subject (an IP address or account) in the window that ends at `reset_at`. */
export interface FailedAttemptTable {
  /** `address <ip>` or `account <id>`. */
  subject: string
  reset_at: Timestamp
  count: number
}
