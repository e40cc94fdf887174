import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { BridgeTaskKind, BridgeTaskTable } from '../../../database/tables/downstream.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'

export type BridgeTask = Selectable<BridgeTaskTable>

/** Maximum number of tasks per query; the others follow. */
const MAX_TASKS = 1000

/** Adds tasks that any coordinator performs after `tx` has committed. */
export async function addBridgeTasks(
  deps: Pick<EngineDeps, 'notifications'>,
  tx: Transaction,
  kind: BridgeTaskKind,
  subjectIds: readonly number[],
): Promise<void> {
  if (subjectIds.length === 0) return
  const created_at = Date.now()
  await tx
    .insertInto('bridge_task')
    .values(subjectIds.map((subject_id) => ({ kind, subject_id, created_at })))
    .execute()
  afterCommit(tx, () => deps.notifications.emit('bridgeTasksAdded'))
}

/** Tasks in order of creation. */
export function findBridgeTasks(database: Database): Promise<BridgeTask[]> {
  return database.selectFrom('bridge_task').selectAll().orderBy('id').limit(MAX_TASKS).execute()
}

/** Claims the task for `tx`; false if another process has performed it or it was withdrawn. */
export async function claimBridgeTask(tx: Transaction, { id }: BridgeTask): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('bridge_task').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteBridgeTask(database: Database, { id }: BridgeTask): Promise<void> {
  await database.deleteFrom('bridge_task').where('id', '=', id).execute()
}

/** For a trigger job that ends before its pipeline is created; `tx` holds the pipeline lock of the job. */
export async function deleteCreationTask(tx: Transaction, jobId: number): Promise<void> {
  await tx.deleteFrom('bridge_task').where('subject_id', '=', jobId).where('kind', '=', 'create').execute()
}
