import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { FreezePeriodTable } from '../../database/tables/freeze-periods.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type FreezePeriodRow = Selectable<FreezePeriodTable>

export function freezePeriodsOf(database: Database, projectId: number) {
  return database.selectFrom('freeze_period').where('project_id', '=', projectId)
}

/** The oldest first. */
export function listFreezePeriods(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<FreezePeriodRow>> {
  const order = { table: 'freeze_period', column: 'id', direction: 'asc' } as const
  return listRows(database, freezePeriodsOf(database, projectId), paging, order)
}

export function findFreezePeriod(
  database: Database,
  projectId: number,
  id: number,
): Promise<FreezePeriodRow | undefined> {
  return freezePeriodsOf(database, projectId).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertFreezePeriod(
  database: Database,
  values: Insertable<FreezePeriodTable>,
): Promise<FreezePeriodRow> {
  return database.insertInto('freeze_period').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Undefined if it was deleted. */
export function updateFreezePeriod(
  database: Database,
  id: number,
  changes: Updateable<FreezePeriodTable>,
): Promise<FreezePeriodRow | undefined> {
  return database
    .updateTable('freeze_period')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether there was one. */
export async function deleteFreezePeriodRow(
  database: Database,
  projectId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('freeze_period')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
