import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** Why a merge request cannot be merged now, or `mergeable` (API, F3). */
export const DETAILED_STATUSES = [
  'unchecked',
  'preparing',
  'checking',
  'not_open',
  'draft_status',
  'discussions_not_resolved',
  'ci_must_pass',
  'ci_still_running',
  'conflict',
  'need_rebase',
  'not_approved',
  'requested_changes',
  'status_checks_must_pass',
  'mergeable',
] as const
export type DetailedStatus = (typeof DETAILED_STATUSES)[number]

/** What the status depends on besides the row. */
export interface StatusFacts {
  /** Whether the project demands that discussions are resolved, and one is not. */
  hasUnresolvedDiscussions: boolean
  /** What the project demands of the pipeline, and is not the case. */
  pipeline?: 'ci_must_pass' | 'ci_still_running' | undefined
  /** Whether the target branch has commits that the source branch must have, by the merge method. */
  needsRebase: boolean
  /** Whether approvals are missing. */
  isUnapproved: boolean
  /** Whether a reviewer has requested changes. */
  hasRequestedChanges: boolean
  /** Whether the project demands that external status checks pass, and one has not. */
  isUnchecked: boolean
}

type Row = Pick<MergeRequestRow, 'state' | 'draft' | 'merge_status' | 'prepared_at'>

/** The first reason that holds, in the order of `DETAILED_STATUSES`. */
export function detailedStatus(row: Row, facts: StatusFacts): DetailedStatus {
  return unknown(row) ?? ofRecord(row, facts) ?? ofBranches(row, facts) ?? 'mergeable'
}

function unknown({ state, merge_status, prepared_at }: Row): DetailedStatus | undefined {
  // Nobody waits for the check of one that is closed or merged.
  if (state !== 'opened' && state !== 'locked') return undefined
  if (merge_status === 'unchecked') return prepared_at === null ? 'preparing' : 'unchecked'
  return merge_status === 'checking' ? 'checking' : undefined
}

function ofRecord({ state, draft }: Row, facts: StatusFacts): DetailedStatus | undefined {
  if (state !== 'opened') return 'not_open'
  if (draft) return 'draft_status'
  return facts.hasUnresolvedDiscussions ? 'discussions_not_resolved' : facts.pipeline
}

function ofBranches({ merge_status }: Row, facts: StatusFacts): DetailedStatus | undefined {
  if (merge_status === 'cannot_be_merged') return 'conflict'
  if (facts.needsRebase) return 'need_rebase'
  if (facts.isUnapproved) return 'not_approved'
  if (facts.hasRequestedChanges) return 'requested_changes'
  return facts.isUnchecked ? 'status_checks_must_pass' : undefined
}
