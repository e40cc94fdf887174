import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { EpicLinkTable } from '../../database/tables/epics.js'
import type { Transaction } from '../../database/transaction.js'
import { emitPlanned } from '../../hosting/planned-changes.js'

export type EpicLinkRow = Selectable<EpicLinkTable>

/** Links from and to an epic, oldest first. */
export function linksOfEpic(database: Database, epicId: number): Promise<EpicLinkRow[]> {
  return database
    .selectFrom('epic_link')
    .selectAll()
    .where(({ or, eb }) => or([eb('source_id', '=', epicId), eb('target_id', '=', epicId)]))
    .orderBy('id')
    .execute()
}

export async function insertEpicLink(
  tx: Transaction,
  values: Pick<Insertable<EpicLinkTable>, 'source_id' | 'target_id' | 'link_type'>,
): Promise<EpicLinkRow> {
  const now = Date.now()
  const row = await tx
    .insertInto('epic_link')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  emitBoth(tx, row)
  return row
}

/** Whether it existed. */
export async function deleteEpicLink(tx: Transaction, id: number): Promise<boolean> {
  const deleted = await tx.deleteFrom('epic_link').where('id', '=', id).returningAll().executeTakeFirst()
  if (deleted) emitBoth(tx, deleted)
  return deleted !== undefined
}

function emitBoth(tx: Transaction, { source_id, target_id }: EpicLinkRow): void {
  for (const epic_id of [source_id, target_id]) emitPlanned(tx, { epic_id })
}
