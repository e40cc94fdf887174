import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type {
  MergeRequestTaskKind,
  MergeRequestTaskParams,
  MergeRequestTaskTable,
} from '../../database/tables/merge-request-tasks.js'
import { afterCommit, storeOf, type Transaction } from '../../database/transaction.js'

export type TaskRow = Selectable<MergeRequestTaskTable>

/** Maximum number of tasks per query; the rest follow in the next one. */
const MAX_FOUND = 1000

const wakers = new WeakMap<Database, () => void>()

/** Calls `wake` after each transaction on this store that has asked for a task. */
export function onTaskRequested(database: Database, wake: () => void): void {
  wakers.set(database, wake)
}

/** Asks for the task, once more if it is being performed now. */
export async function requestTask(
  tx: Transaction,
  { id, project_id }: { id: number; project_id: number },
  kind: MergeRequestTaskKind,
  userId: number,
  params: MergeRequestTaskParams = {},
): Promise<void> {
  afterCommit(tx, () => wakers.get(storeOf(tx))?.())
  const text = JSON.stringify(params)
  const values = { merge_request_id: id, project_id, kind, user_id: userId, params: text }
  await tx
    .insertInto('merge_request_task')
    .values({ ...values, created_at: Date.now() })
    .onConflict((conflict) =>
      conflict.columns(['merge_request_id', 'kind']).doUpdateSet((eb) => ({
        generation: eb('merge_request_task.generation', '+', 1),
        user_id: userId,
        params: text,
      })),
    )
    .execute()
}

/** Open tasks, oldest first. */
export function findTasks(database: Database): Promise<TaskRow[]> {
  return database.selectFrom('merge_request_task').selectAll().orderBy('id').limit(MAX_FOUND).execute()
}

/** False if another coordinator has claimed or completed it. */
export async function claimTask(
  database: Database,
  { id, claimed_until }: Pick<TaskRow, 'id' | 'claimed_until'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('merge_request_task')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('claimed_until', claimed_until === null ? 'is' : '=', claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewTask(database: Database, id: number, until: number | null): Promise<void> {
  await database
    .updateTable('merge_request_task')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .execute()
}

/** Deletes the task. False if it was requested once more after it was found, and is open again. */
export async function finishTask(
  database: Database,
  { id, generation }: Pick<TaskRow, 'id' | 'generation'>,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('merge_request_task')
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (numDeletedRows === 0n) await renewTask(database, id, null)
  return numDeletedRows === 1n
}
