import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { MergeRequestAction } from '../../integrations/webhooks/outbox/emit-merge-request-event.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { type ApprovalRow, removeApprovals, setReviewState } from '../stores/merge-request-approval-store.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { addSystemNotes } from '../system-notes/system-notes.js'
import { approvalStates } from './approval-rules/approval-states.js'
import { countingApprovals } from './approval-rules/counting-approvals.js'
import { isApproved } from './approval-rules/rule-states.js'

/** The approvals of one merge request that count now. */
export async function approvalsThatCount(
  database: Database,
  project: Project,
  row: MergeRequestRow,
): Promise<ApprovalRow[]> {
  return (await countingApprovals(database, [{ row, project }])).get(row.id) ?? []
}

/** Removes all approvals of a merge request that `tx` has locked. */
export async function resetApprovals(
  tx: Transaction,
  { project, user }: { project: Project; user: Pick<User, 'id'> },
  row: MergeRequestRow,
): Promise<void> {
  if ((await removeApprovals(tx, row.id)) === 0) return
  await setReviewState(tx, row.id, { state: 'unapproved' })
  await recordApproval(tx, { project, user }, row, 'reset')
}

const TEXTS = {
  approved: 'approved this merge request',
  unapproved: 'unapproved this merge request',
  reset: 'removed all approvals',
} as const

/** Adds a note, and emits an event, which says whether the approvals are now complete, or not any more. */
export async function recordApproval(
  tx: Transaction,
  { project, user }: { project: Project; user: Pick<User, 'id'> },
  row: MergeRequestRow,
  what: keyof typeof TEXTS,
): Promise<void> {
  const owner = { column: 'merge_request_id', id: row.id } as const
  const about = { owner, projectId: row.project_id, userId: user.id }
  await addSystemNotes(tx, about, [{ action: 'approvals', body: TEXTS[what] }])
  const states = await approvalStates(tx, [{ row, project }])
  const isComplete = isApproved(states.get(row.id) ?? [])
  const action: MergeRequestAction =
    what === 'approved' ? (isComplete ? 'approved' : 'approval') : isComplete ? 'unapproval' : 'unapproved'
  await emitMergeRequestChange(tx, user, await mergeRequestSnapshot(tx, row), row, { action })
}
