import type { Default, Timestamp } from '../columns.js'

/** Why a hold has ended. `time`: its time was over. */
export const HOLD_ENDS = ['time', 'user', 'administrator', 'disk', 'stopping', 'gone'] as const
export type HoldEnd = (typeof HOLD_ENDS)[number]

/** An ended job whose runner keeps its container. */
export interface JobHoldTable {
  job_id: number
  /** SHA-256 of the token with which the runner calls about the hold. */
  token_digest: string
  /** Where the job is, as its runner says. */
  place: string
  /** Whether the runner opens shells. */
  has_terminal: boolean
  since: Timestamp
  until: Timestamp
  /** Until when it can be extended. */
  latest: Timestamp
  /** Increases with each change. The runner requests changes after the revision that it knows. */
  revision: Default<number>
  ended_at: Timestamp | null
  end_reason: HoldEnd | null
}
