import type { Database } from '../../database/connect.js'
import { commentersOf } from '../../hosting/note-store.js'
import { lockTheMergeRequest } from '../access/merge-request-access.js'
import {
  assigneesOfMergeRequests,
  findMergeRequestSubscription,
  type MergeRequestRow,
  reviewersOf,
  setMergeRequestSubscription,
} from '../stores/merge-request-store.js'
import { subscriptionsTo } from '../subscriptions.js'

/**
 * IDs of the users who take part in a merge request: its author, its assignees, its reviewers and those who have
 * commented, in this order.
 */
export async function participantIds(
  database: Database,
  row: MergeRequestRow,
  comments?: 'all' | 'public',
): Promise<number[]> {
  const assignees = (await assigneesOfMergeRequests(database, [row.id])).get(row.id) ?? []
  const reviewers = (await reviewersOf(database, [row.id])).get(row.id) ?? []
  const commenters = await commentersOf(database, { column: 'merge_request_id', id: row.id }, comments)
  return [
    ...new Set([row.author_id, ...assignees, ...reviewers.map(({ user_id }) => user_id), ...commenters]),
  ]
}

export const { isSubscribed, changeSubscription } = subscriptionsTo<MergeRequestRow>({
  lock: lockTheMergeRequest,
  findChoice: (database, row, userId) => findMergeRequestSubscription(database, row.id, userId),
  setChoice: (tx, row, user_id, subscribed) =>
    setMergeRequestSubscription(tx, { merge_request_id: row.id, user_id, subscribed }),
  participantIds,
})
