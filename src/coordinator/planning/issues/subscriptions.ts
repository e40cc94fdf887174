import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { commentersOf } from '../../hosting/note-store.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { lockTheIssue } from '../access/issue-access.js'
import { assigneesOf, findSubscription, type IssueRow, setSubscription } from '../stores/issue-store.js'
import { subscriptionsTo } from '../subscriptions.js'

export const { isSubscribed, changeSubscription } = subscriptionsTo<IssueRow>({
  lock: lockTheIssue,
  findChoice: (database, row, userId) => findSubscription(database, row.id, userId),
  setChoice: (tx, row, user_id, subscribed) => setSubscription(tx, { issue_id: row.id, user_id, subscribed }),
  participantIds,
})

/** The users who take part in an issue: its author, its assignees and those who have commented, in this order. */
export async function participantsOf(database: Database, row: IssueRow): Promise<User[]> {
  const ids = await participantIds(database, row, 'public')
  const users = await usersById(database, ids)
  return ids.map((id) => users.get(id)).filter((user) => user !== undefined)
}

async function participantIds(
  database: Database,
  row: IssueRow,
  comments?: 'all' | 'public',
): Promise<number[]> {
  const assignees = (await assigneesOf(database, [row.id])).get(row.id) ?? []
  const commenters = await commentersOf(database, { column: 'issue_id', id: row.id }, comments)
  return [...new Set([row.author_id, ...assignees, ...commenters])]
}
