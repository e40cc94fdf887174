import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { assigneesOf, findSubscription, type IssueRow, setSubscription } from '../../hosting/issue-store.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { type CallerInProject, lockTheIssue } from '../access/issue-access.js'

/** Participants are subscribed unless they have chosen otherwise. */
export async function isSubscribed(database: Database, row: IssueRow, user: User): Promise<boolean> {
  const chosen = await findSubscription(database, row.id, user.id)
  return chosen ?? (await participantIds(database, row)).includes(user.id)
}

/** Subscribes the caller or ends the subscription. Undefined if nothing changed. Throws 404 for an unknown issue. */
export function changeSubscription(
  database: Database,
  place: CallerInProject & { user: User },
  iid: number,
  subscribed: boolean,
): Promise<IssueRow | undefined> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheIssue(tx, place, iid)
    if ((await isSubscribed(tx, row, place.user)) === subscribed) return undefined
    await setSubscription(tx, { issue_id: row.id, user_id: place.user.id, subscribed })
    return row
  })
}

/** The users who take part in an issue: its author and its assignees, in this order. */
export async function participantsOf(database: Database, row: IssueRow): Promise<User[]> {
  const ids = await participantIds(database, row)
  const users = await usersById(database, ids)
  return ids.map((id) => users.get(id)).filter((user) => user !== undefined)
}

async function participantIds(database: Database, row: IssueRow): Promise<number[]> {
  const assignees = (await assigneesOf(database, [row.id])).get(row.id) ?? []
  return [...new Set([row.author_id, ...assignees])]
}
