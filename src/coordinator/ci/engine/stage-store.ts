import { type Insertable, sql } from 'kysely'

import { isInJson } from '../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import type { CompositeStatus, StageTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'

export async function insertStages(
  tx: Transaction,
  stages: Insertable<StageTable>[],
): Promise<Map<number, number>> {
  const rows = await tx.insertInto('stage').values(stages).returning(['id', 'position']).execute()
  return new Map(rows.map(({ id, position }) => [position, id]))
}

export async function saveStageStatus(
  tx: Transaction,
  stageIds: readonly number[],
  status: CompositeStatus,
): Promise<void> {
  await tx.executeQuery(updateStages.with(tx, { ids: JSON.stringify(stageIds), status }))
}

interface StageChange extends Record<string, Placeholder<unknown>> {
  /** JSON. */
  ids: Placeholder<string>
  status: Placeholder<CompositeStatus>
}

/** For `executeTogether`; `ids` is a JSON array. */
export const updateStages = new PreparedStatement((database, { ids, status }: StageChange, dialect) =>
  database
    .updateTable('stage')
    .set({ status })
    .where(isInJson(dialect, sql.ref('id'), ids))
    .where('status', '!=', status),
)
