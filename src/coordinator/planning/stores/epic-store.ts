import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { nextEpicIid } from '../../database/stores/namespace-store.js'
import type { EpicTable } from '../../database/tables/epics.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { emitDeletedPlanned, emitPlanned } from '../../hosting/planned-changes.js'

export type EpicRow = Selectable<EpicTable>

/** Inserts an epic with the next number of its group. */
export async function insertEpic(
  tx: Transaction,
  values: Omit<Insertable<EpicTable>, 'id' | 'iid'>,
): Promise<EpicRow> {
  const iid = await nextEpicIid(tx, values.group_id)
  return tx
    .insertInto('epic')
    .values({ ...values, iid })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findEpic(database: Database, groupId: number, iid: number): Promise<EpicRow | undefined> {
  return database
    .selectFrom('epic')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('iid', '=', iid)
    .executeTakeFirst()
}

/** Finds an epic of the group by its global ID, as notes name it. */
export function findEpicInAnyGroup(database: Database, id: number): Promise<EpicRow | undefined> {
  return database.selectFrom('epic').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findEpicById(database: Database, groupId: number, id: number): Promise<EpicRow | undefined> {
  return database
    .selectFrom('epic')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks an epic until `tx` ends; undefined if it does not exist. The lock is a write in both databases. */
export function lockEpic(tx: Transaction, groupId: number, id: number): Promise<EpicRow | undefined> {
  return tx
    .updateTable('epic')
    .set(({ ref }) => ({ iid: ref('iid') }))
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if it was deleted. */
export async function updateEpic(
  tx: Transaction,
  id: number,
  changes: Updateable<EpicTable>,
): Promise<EpicRow | undefined> {
  const row = await tx.updateTable('epic').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
  if (row) emitPlanned(tx, { epic_id: id })
  return row
}

/** Whether it existed. */
export async function deleteEpicRow(database: Database, id: number): Promise<boolean> {
  await deleteDependents(database, 'epic', id)
  return inTransaction(database, async (tx) => {
    const deleted = await tx.deleteFrom('epic').where('id', '=', id).returning('parent_id').executeTakeFirst()
    if (!deleted) return false
    emitDeletedPlanned(tx, { kind: 'epic', id })
    emitPlanned(tx, { epic_id: deleted.parent_id })
    return true
  })
}

/** Makes `to` the author of the epics of `from`. */
export async function reassignEpics(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('epic').set({ author_id: to }).where('author_id', '=', from).execute()
}
