import type { Id, Timestamp } from '../columns.js'

/** A service that checks merge requests. Its address is that of its webhook (API, F4). */
export interface StatusCheckTable {
  id: Id
  project_id: number
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** A protected branch for which a check is; a check without any is for all target branches. */
export interface StatusCheckBranchTable {
  status_check_id: number
  protected_ref_id: number
}

export const CHECK_STATUSES = ['pending', 'passed', 'failed'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/** The last answer of a check about a merge request. */
export interface StatusCheckResponseTable {
  id: Id
  merge_request_id: number
  status_check_id: number
  /** The head that was checked; the answer counts for no other one. */
  sha: string
  status: CheckStatus
  created_at: Timestamp
  updated_at: Timestamp
}
