import type { Selectable } from 'kysely'

import type { MergeRequestApprovalTable, ReviewState } from '../../database/tables/merge-requests.js'
import type { Transaction } from '../../database/transaction.js'
import type { MergeRequestRow } from './merge-request-store.js'

export type ApprovalRow = Selectable<MergeRequestApprovalTable>

/** Stores that the user approves the merge request with the head and the target that it has. */
export async function putApproval(
  tx: Transaction,
  { id, head_sha, target_branch }: Pick<MergeRequestRow, 'id' | 'head_sha' | 'target_branch'>,
  userId: number,
): Promise<void> {
  const given = { head_sha, target_branch, created_at: Date.now() }
  await tx
    .insertInto('merge_request_approval')
    .values({ merge_request_id: id, user_id: userId, ...given })
    .onConflict((conflict) => conflict.columns(['merge_request_id', 'user_id']).doUpdateSet(given))
    .execute()
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
