import type { User } from '../../access/caller.js'
import { readsMergeRequests } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { visibleIssues } from '../access/visible-issues.js'
import type { IssueRow } from '../stores/issue-store.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { finishTodosAbout, insertTodos, type TodoTarget } from '../stores/todo-store.js'
import { type Mentions, mentionsIn } from './mentions.js'

/** What to-do items are about, and who may see it. */
export interface Noticed extends TodoTarget {
  isSeenBy: (database: Database, user: User) => Promise<boolean>
}

export function noticedIssue({ id, project_id }: Pick<IssueRow, 'id' | 'project_id'>): Noticed {
  return {
    table: 'issue',
    id,
    project_id,
    isSeenBy: async (tx, user) => (await visibleIssues(tx, user, [id])).length > 0,
  }
}

export function noticedMergeRequest({ id, project_id }: Pick<MergeRequestRow, 'id' | 'project_id'>): Noticed {
  return {
    table: 'merge_request',
    id,
    project_id,
    isSeenBy: async (tx, user) => {
      const readable = tx.selectFrom('project').select('id').where('id', '=', project_id)
      return (await readable.where(readsMergeRequests(user)).executeTakeFirst()) !== undefined
    },
  }
}

/** Adds an item for every user who is newly assigned, and marks those of users who no longer are as done. */
export async function noticeAssignees(
  tx: Transaction,
  target: TodoTarget,
  author: Pick<User, 'id'>,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): Promise<void> {
  await finishTodosAbout(
    tx,
    target,
    before.filter((id) => !after.includes(id)),
  )
  const userIds = after.filter((id) => !before.includes(id))
  await insertTodos(tx, target, { userIds, authorId: author.id, action: 'assigned' })
}

/**
 * Adds an item for every user whom a text mentions, if the user may see the target. `before` is the text that it
 * replaces: who was mentioned there gets none.
 */
export async function noticeMentions(
  tx: Transaction,
  target: Noticed,
  author: Pick<User, 'id'>,
  { before, after }: { before?: string | null; after: string | null },
): Promise<void> {
  if (!after?.includes('@')) return
  const { addressed, others } = without(mentionsIn(after), mentionsIn(before ?? ''))
  const users = await activeUsers(tx, [...addressed, ...others])
  const seeing: User[] = []
  for (const user of users) if (await target.isSeenBy(tx, user)) seeing.push(user)
  const ids = (names: Set<string>) =>
    seeing.filter(({ username }) => names.has(username.toLowerCase())).map(({ id }) => id)
  const authorId = author.id
  await insertTodos(tx, target, { userIds: ids(addressed), authorId, action: 'directly_addressed' })
  await insertTodos(tx, target, { userIds: ids(others), authorId, action: 'mentioned' })
}

function without({ addressed, others }: Mentions, before: Mentions): Mentions {
  const isNew = (name: string) => !before.addressed.has(name) && !before.others.has(name)
  return {
    addressed: new Set([...addressed].filter(isNew)),
    others: new Set([...others].filter(isNew)),
  }
}

async function activeUsers(tx: Transaction, names: readonly string[]): Promise<User[]> {
  if (names.length === 0) return []
  return tx
    .selectFrom('user')
    .selectAll()
    .where(({ fn }) => fn('lower', ['username']), 'in', names)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute()
}
