import type { Timestamp } from '../columns.js'

/** How often a subject (an address, an account) has failed in the window that ends at `reset_at`. */
export interface FailedAttemptTable {
  /** `address <ip>` or `account <id>`. */
  subject: string
  reset_at: Timestamp
  count: number
}
