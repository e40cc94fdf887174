import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { claimRow } from '../../../database/due-rows.js'
import type { ExternalBuildTable } from '../../../database/tables/integrations.js'
import { inTransaction } from '../../../database/transaction.js'

export type BuildRow = Selectable<ExternalBuildTable>

/** Builds of one integration; further ones replace the oldest. */
const MAX_BUILDS = 50

/** Stores a build, unless it is known. */
export function insertBuild(
  database: Database,
  values: Omit<Insertable<ExternalBuildTable>, 'id' | 'state'>,
): Promise<void> {
  const { integration_id } = values
  return inTransaction(database, async (tx) => {
    await tx
      .insertInto('external_build')
      .values({ ...values, state: null })
      .onConflict((conflict) => conflict.columns(['integration_id', 'sha', 'ref', 'tag']).doNothing())
      .execute()
    const newest = await tx
      .selectFrom('external_build')
      .select('id')
      .where('integration_id', '=', integration_id)
      .orderBy('id', 'desc')
      .limit(MAX_BUILDS)
      .execute()
    const oldest = newest.length === MAX_BUILDS ? newest.at(-1) : undefined
    if (!oldest) return
    await tx
      .deleteFrom('external_build')
      .where('integration_id', '=', integration_id)
      .where('id', '<', oldest.id)
      .execute()
  })
}

/** False if another coordinator has claimed it. */
export function claimBuild(
  database: Database,
  { id, due_at }: Pick<BuildRow, 'id' | 'due_at'>,
  until: number,
): Promise<boolean> {
  return claimRow(
    database
      .updateTable('external_build')
      .set({ due_at: until })
      .where('id', '=', id)
      .where('due_at', '=', due_at),
  )
}

export async function updateBuild(
  database: Database,
  id: number,
  values: Pick<BuildRow, 'state' | 'due_at'>,
): Promise<void> {
  await database.updateTable('external_build').set(values).where('id', '=', id).execute()
}

export async function deleteBuild(database: Database, id: number): Promise<void> {
  await database.deleteFrom('external_build').where('id', '=', id).execute()
}
