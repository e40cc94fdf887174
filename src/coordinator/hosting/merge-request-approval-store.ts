import type { Selectable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { MergeRequestApprovalTable, ReviewState } from '../database/tables/merge-requests.js'
import type { Transaction } from '../database/transaction.js'

export type ApprovalRow = Selectable<MergeRequestApprovalTable>

/** The approvals of a merge request, the oldest first. */
export function approvalsOf(database: Database, id: number): Promise<ApprovalRow[]> {
  return database
    .selectFrom('merge_request_approval')
    .selectAll()
    .where('merge_request_id', '=', id)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
}

/** False if the user has approved already. */
export async function addApproval(tx: Transaction, id: number, userId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('merge_request_approval')
    .values({ merge_request_id: id, user_id: userId, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Removes the approval of a user, or all. Returns how many there were. */
export async function removeApprovals(tx: Transaction, id: number, userId?: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('merge_request_approval')
    .where('merge_request_id', '=', id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Changes the state of the review of a user, or of all reviewers who have approved; does nothing without one. */
export async function setReviewState(
  tx: Transaction,
  id: number,
  { userId, state }: { userId?: number; state: ReviewState },
): Promise<void> {
  await tx
    .updateTable('merge_request_reviewer')
    .set({ state })
    .where('merge_request_id', '=', id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .$if(userId === undefined, (query) => query.where('state', '=', 'approved'))
    .execute()
}
