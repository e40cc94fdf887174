import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import {
  assigneesOfMergeRequests,
  findMergeRequestSubscription,
  type MergeRequestRow,
  reviewersOf,
} from '../../hosting/merge-request-store.js'

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
