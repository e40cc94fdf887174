import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { jsonRows } from '../../database/json-rows.js'
import { hasRowLocks } from '../../database/lock-row.js'
import type { Transaction } from '../../database/transaction.js'
import { emitPlanned } from '../../hosting/planned-changes.js'
import { type EpicRow, updateEpic } from './epic-store.js'
import { type PlacedRow, positionBefore } from './move-among.js'

/** Key of the advisory lock, shared by all coordinators on one PostgreSQL. */
const TREE = 8_929_031

/** Serializes changes of the parents of epics until `tx` ends. Without it two epics could become children of each other. */
export async function lockEpicTree(tx: Transaction): Promise<void> {
  if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${TREE})`.execute(tx)
}

/** IDs of the epics above an epic, nearest first, and at most `most`. */
export async function epicsAbove(
  database: Database,
  { parent_id }: EpicRow,
  most: number,
): Promise<number[]> {
  const found: number[] = []
  for (let next = parent_id; next !== null && found.length < most;) {
    found.push(next)
    const row = await database
      .selectFrom('epic')
      .select('parent_id')
      .where('id', '=', next)
      .executeTakeFirst()
    next = row?.parent_id ?? null
  }
  return found
}

/** Number of levels below an epic, at most `most`. */
export async function levelsBelow(database: Database, id: number, most: number): Promise<number> {
  let parents = [id]
  for (let levels = 0; ; levels++) {
    const rows = await database.selectFrom('epic').select('id').where('parent_id', 'in', parents).execute()
    if (rows.length === 0 || levels === most) return levels
    parents = rows.map((row) => row.id)
  }
}

/** All children of an epic in their order. */
export async function placedChildren(database: Database, id: number): Promise<PlacedRow[]> {
  const rows = await database
    .selectFrom('epic')
    .select(['id', 'parent_position'])
    .where('parent_id', '=', id)
    .orderBy('parent_position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, position: row.parent_position ?? 0 }))
}

/** Makes an epic the first child of another one, or of none. */
export async function setParent(
  tx: Transaction,
  id: number,
  parentId: number | null,
): Promise<EpicRow | undefined> {
  const first = parentId === null ? undefined : (await placedChildren(tx, parentId))[0]
  const parent_position = parentId === null ? null : positionBefore(first?.position)
  return updateEpic(tx, id, { parent_id: parentId, parent_position, updated_at: Date.now() })
}

/** Gives children of an epic new positions. */
export async function placeChildren(
  tx: Transaction,
  parentId: number,
  places: readonly PlacedRow[],
): Promise<void> {
  const rows = jsonRows<PlacedRow>(dialectOf(tx), { id: 'bigint', position: 'bigint' }, places)
  await sql`
    update epic set parent_position = given.position from ${rows} as given
      where epic.id = given.id`.execute(tx)
  emitPlanned(tx, { epic_id: parentId })
}
