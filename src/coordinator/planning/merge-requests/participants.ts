import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import {
  assigneesOfMergeRequests,
  findMergeRequestSubscription,
  type MergeRequestRow,
  reviewersOf,
  setMergeRequestSubscription,
} from '../../hosting/merge-request-store.js'
import type { CallerInProject } from '../access/issue-access.js'
import { lockTheMergeRequest } from '../access/merge-request-access.js'

/** IDs of the users who take part in a merge request: its author, its assignees and its reviewers, in this order. */
export async function participantIds(database: Database, row: MergeRequestRow): Promise<number[]> {
  const assignees = (await assigneesOfMergeRequests(database, [row.id])).get(row.id) ?? []
  const reviewers = (await reviewersOf(database, [row.id])).get(row.id) ?? []
  return [...new Set([row.author_id, ...assignees, ...reviewers.map(({ user_id }) => user_id)])]
}

/** Participants are subscribed unless they have chosen otherwise. */
export async function isSubscribed(database: Database, row: MergeRequestRow, user: User): Promise<boolean> {
  const chosen = await findMergeRequestSubscription(database, row.id, user.id)
  return chosen ?? (await participantIds(database, row)).includes(user.id)
}

/** Subscribes the caller or ends the subscription. Undefined if nothing changed. Throws 404 for an unknown one. */
export function changeSubscription(
  database: Database,
  place: CallerInProject & { user: User },
  iid: number,
  subscribed: boolean,
): Promise<MergeRequestRow | undefined> {
  const { user } = place
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, place, iid)
    if ((await isSubscribed(tx, row, user)) === subscribed) return undefined
    await setMergeRequestSubscription(tx, { merge_request_id: row.id, user_id: user.id, subscribed })
    return row
  })
}
