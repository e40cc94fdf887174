import { type Insertable, sql } from 'kysely'

import { isInJson, jsonRows } from '../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { CompositeStatus, StageTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'

export async function insertStages(
  tx: Transaction,
  stages: Insertable<StageTable>[],
): Promise<Map<number, number>> {
  const rows = await tx.insertInto('stage').values(stages).returning(['id', 'position']).execute()
  return new Map(rows.map(({ id, position }) => [position, id]))
}

export interface StageStatus {
  id: number
  status: CompositeStatus
}

export async function saveStageStatuses(tx: Transaction, stages: readonly StageStatus[]): Promise<void> {
  if (stages.length > 0) await moveStages(tx, { stages: JSON.stringify(stages) })
}

const moveStages = preparedWrite((database, { stages }: { stages: Placeholder<string> }, dialect) =>
  database
    .updateTable('stage')
    .from(jsonRows<StageStatus>(dialect, { id: 'bigint', status: 'text' }, stages).as('given'))
    .set(({ ref }) => ({ status: ref('given.status') }))
    .whereRef('stage.id', '=', 'given.id'),
)

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
