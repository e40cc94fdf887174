import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import { chunks } from '../../../lib/chunks.js'
import type { User } from '../../access/caller.js'
import { isIssueSeen, readsIssues, readsMergeRequests } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { TodoAction, TodoTable } from '../../database/tables/todos.js'
import { afterCommit, storeOf, type Transaction } from '../../database/transaction.js'

export type TodoRow = Selectable<TodoTable>

/** What an item is about. */
export interface TodoTarget {
  table: keyof typeof COLUMNS
  id: number
  /** ID of its project. */
  project_id: number
}

const COLUMNS = { issue: 'issue_id', merge_request: 'merge_request_id' } as const

/** Maximum number of rows per statement in both databases. */
const ROWS_PER_QUERY = 100

type TodoListener = (userIds: readonly number[]) => void

const listeners = new WeakMap<Database, TodoListener>()

/** Calls `listener` after each commit that changed to-do items, with their users. */
export function onTodosChanged(database: Database, listener: TodoListener): void {
  listeners.set(database, listener)
}

function emitTodos(tx: Transaction, rows: readonly { user_id: number }[]): void {
  const listener = rows.length > 0 && listeners.get(storeOf(tx))
  if (listener) afterCommit(tx, () => listener(rows.map(({ user_id }) => user_id)))
}

/** Adds an item for each of the users, except for those who have a pending one about the target. */
export async function insertTodos(
  tx: Transaction,
  { table, id, project_id }: TodoTarget,
  { userIds, authorId, action }: { userIds: readonly number[]; authorId: number; action: TodoAction },
): Promise<TodoRow[]> {
  const now = Date.now()
  const common = { project_id, author_id: authorId, action, created_at: now, updated_at: now }
  const rows = [...new Set(userIds)].map((user_id) => ({ ...common, user_id, [COLUMNS[table]]: id }))
  const added: TodoRow[] = []
  for (const some of chunks(rows, ROWS_PER_QUERY)) {
    const insertion = tx
      .insertInto('todo')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
    added.push(...(await insertion.returningAll().execute()))
  }
  emitTodos(tx, added)
  return added
}

/** Marks the pending items about the target as done: those of one user, or of all. */
export async function finishTodosAbout(
  tx: Transaction,
  { table, id }: Pick<TodoTarget, 'table' | 'id'>,
  userIds?: readonly number[],
): Promise<void> {
  if (userIds?.length === 0) return
  const done = await tx
    .updateTable('todo')
    .set({ state: 'done', updated_at: Date.now() })
    .where(COLUMNS[table], '=', id)
    .where('state', '=', 'pending')
    .$if(userIds !== undefined, (query) => query.where('user_id', 'in', userIds ?? []))
    .returning('user_id')
    .execute()
  emitTodos(tx, done)
}

/** Marks the pending items about the target as done that have one of these reasons. */
export async function finishTodosBecauseOf(
  tx: Transaction,
  { table, id }: Pick<TodoTarget, 'table' | 'id'>,
  actions: readonly TodoAction[],
): Promise<void> {
  const done = await tx
    .updateTable('todo')
    .set({ state: 'done', updated_at: Date.now() })
    .where(COLUMNS[table], '=', id)
    .where('state', '=', 'pending')
    .where('action', 'in', actions)
    .returning('user_id')
    .execute()
  emitTodos(tx, done)
}

/** Marks an item as done; undefined if it was deleted. */
export async function finishTodo(tx: Transaction, id: number): Promise<TodoRow | undefined> {
  const done = await tx
    .updateTable('todo')
    .set({ state: 'done', updated_at: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('user_id')
    .execute()
  emitTodos(tx, done)
  return tx.selectFrom('todo').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Marks an item as pending again, unless its user has another pending one about the target; undefined if it was deleted. */
export async function reopenTodo(tx: Transaction, id: number): Promise<TodoRow | undefined> {
  const reopened = await tx
    .updateTable('todo')
    .set({ state: 'pending', updated_at: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where(
      sql<SqlBool>`not exists (select 1 from todo as other
        where other.user_id = todo.user_id and other.state = 'pending'
          and (other.issue_id = todo.issue_id or other.merge_request_id = todo.merge_request_id))`,
    )
    .returning('user_id')
    .execute()
  emitTodos(tx, reopened)
  return tx.selectFrom('todo').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Marks the pending items of a user that meet all conditions on the table `todo` as done. */
export async function finishTodosOf(
  tx: Transaction,
  userId: number,
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<void> {
  const ids = conditions.reduce(
    (query, condition) => query.where(condition),
    tx
      .selectFrom('todo')
      .select('todo.id')
      .where('todo.user_id', '=', userId)
      .where('todo.state', '=', 'pending'),
  )
  await tx.updateTable('todo').set({ state: 'done', updated_at: Date.now() }).where('id', 'in', ids).execute()
  emitTodos(tx, [{ user_id: userId }])
}

/** Number of the pending items of a user. */
export async function countPendingTodos(database: Database, userId: number): Promise<number> {
  const user = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  return user ? countPendingTodosOf(database, user) : 0
}

/** As `countPendingTodos`, of a user who is known. */
export function countPendingTodosOf(database: Database, user: User): Promise<number> {
  return countRows(database, seenTodos(database, user).where('todo.state', '=', 'pending'))
}

/** The items of a user whose targets the user may see. */
export function seenTodos(database: Database, user: User) {
  return database
    .selectFrom('todo')
    .innerJoin('project', 'project.id', 'todo.project_id')
    .leftJoin('issue', 'issue.id', 'todo.issue_id')
    .where('todo.user_id', '=', user.id)
    .where(
      () => sql<SqlBool>`((todo.issue_id is not null and ${readsIssues(user)} and ${isIssueSeen(user)})
        or (todo.merge_request_id is not null and ${readsMergeRequests(user)}))`,
    )
}
