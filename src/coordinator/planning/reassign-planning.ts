import type { Transaction } from '../database/transaction.js'
import { deleteAwardsOfUser } from './stores/award-emoji-store.js'
import { reassignEpics } from './stores/epic-store.js'
import { reassignIssues } from './stores/issue-store.js'
import { reassignMergeRequests } from './stores/merge-request-store.js'

/** Assigns the issues, merge requests and epics of a deleted user to the ghost user, and deletes their award emoji. */
export async function reassignPlanning(tx: Transaction, userId: number, ghost: number): Promise<void> {
  await reassignIssues(tx, userId, ghost)
  await reassignMergeRequests(tx, userId, ghost)
  await reassignEpics(tx, userId, ghost)
  await deleteAwardsOfUser(tx, userId)
}
