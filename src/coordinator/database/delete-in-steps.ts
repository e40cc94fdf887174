import { type RawBuilder, sql } from 'kysely'

import { pause } from '../../lib/pause.js'
import type { Database } from './connect.js'
import { dialectOf } from './dialect.js'
import { isInJson } from './json-rows.js'
import { type Dependent, listDependents } from './list-dependents.js'
import { inTransaction } from './transaction.js'

/**
 * Rows that one transaction deletes or changes. It takes up to 20 ms on SQLite, during which no other request is
 * served.
 */
export const STEP_ROWS = 200

type Dependents = ReadonlyMap<string, readonly Dependent[]>

/**
 * Deletes what the database would delete together with a row or several, and clears the references that it would clear: in
 * transactions of at most `STEP_ROWS` rows, with pauses, so that a row with millions of others can be deleted while others
 * are served. The row itself stays; to delete it afterwards costs little. Rows that were added since are deleted with it.
 * Tables in `except` are left to that. After an interruption, another call continues. Throws the reason of `signal` when that aborts.
 */
export async function deleteDependents(
  database: Database,
  table: string,
  id: number | readonly number[],
  { except = [], signal }: { except?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const steps = { database, dependents: await listDependents(database), signal }
  for (const keys of inChunks([id].flat())) await deleteRowsBelow(steps, table, keys, except)
}

/** Deletes rows by their IDs like `deleteDependents`, and the rows too. For any number of IDs. */
export async function deleteInSteps(
  database: Database,
  table: string,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<void> {
  const steps = { database, dependents: await listDependents(database), signal }
  for (const keys of inChunks(ids)) await deleteRows(steps, table, 'id', keys)
}

function* inChunks(ids: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < ids.length; from += STEP_ROWS) yield ids.slice(from, from + STEP_ROWS)
}

/**
 * Deletes the rows of a table that meet a condition like `deleteInSteps`. Returns their number. The condition is that of a
 * `where` without table names.
 */
export async function deleteMatching(
  database: Database,
  table: string,
  condition: RawBuilder<unknown>,
  signal?: AbortSignal,
): Promise<number> {
  const steps = { database, dependents: await listDependents(database), signal }
  return inTurns(steps, () => deleteFirst(steps, table, condition))
}

/** Replaces one value of a column by another, `STEP_ROWS` rows per transaction. The table has a column `id`. */
export async function replaceInSteps(
  database: Database,
  { table, column, from, to }: { table: string; column: string; from: number; to: number },
  signal?: AbortSignal,
): Promise<void> {
  for (let after = 0; ;) {
    signal?.throwIfAborted()
    // Rows are selected in the order of IDs, so that a table without an index of this column is read once.
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where ${sql.ref(column)} = ${from} and id > ${after}
      order by id limit ${sql.lit(STEP_ROWS)}`.execute(database)
    const ids = rows.map(({ id }) => id)
    await write(
      database,
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to}
      where ${isAmong(database, 'id', ids)} and ${sql.ref(column)} = ${from}`,
    )
    const last = ids.at(-1)
    if (last === undefined || ids.length < STEP_ROWS) return
    after = last
  }
}

interface Steps {
  database: Database
  dependents: Dependents
  signal: AbortSignal | undefined
}

/** `keys`: at most `STEP_ROWS`. */
async function deleteRowsBelow(
  steps: Steps,
  table: string,
  keys: readonly number[],
  except: readonly string[] = [],
): Promise<void> {
  for (const dependent of steps.dependents.get(table) ?? []) {
    if (except.includes(dependent.table)) continue
    await inTurns(steps, () => deleteSome(steps, dependent, keys))
  }
}

/** Repeats a step as long as it finds as many rows as it may. Returns the number of rows. */
async function inTurns({ signal }: Steps, step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ;) {
    signal?.throwIfAborted()
    const started = performance.now()
    const rows = await step()
    sum += rows
    if (rows < STEP_ROWS) return sum
    // Pauses for as long as the step took, so that others get at least half of the time.
    await pause(performance.now() - started, signal)
  }
}

function deleteSome(
  steps: Steps,
  { table, column, action }: Dependent,
  keys: readonly number[],
): Promise<number> {
  const { database } = steps
  const matching = isAmong(database, column, keys)
  if (action === 'cascade') return deleteFirst(steps, table, matching)
  return write(
    database,
    sql`update ${sql.table(table)} set ${sql.ref(column)} = null
      where ${isAmongFirst(database, table, matching)}`,
  )
}

/** Deletes the first rows that match. Returns their number, at most `STEP_ROWS`. */
async function deleteFirst(steps: Steps, table: string, matching: RawBuilder<unknown>): Promise<number> {
  const { database, dependents } = steps
  const key = dependents.get(table)?.[0]?.key
  if (key === undefined) {
    return write(
      database,
      sql`delete from ${sql.table(table)} where ${isAmongFirst(database, table, matching)}`,
    )
  }
  const { rows } = await sql<{ key: number }>`
    select ${sql.ref(key)} as key from ${sql.table(table)} where ${matching} limit ${sql.lit(STEP_ROWS)}`.execute(
    database,
  )
  if (rows.length > 0)
    await deleteRows(
      steps,
      table,
      key,
      rows.map((row) => row.key),
    )
  return rows.length
}

/** `keys`: at most `STEP_ROWS`. */
async function deleteRows(steps: Steps, table: string, key: string, keys: readonly number[]): Promise<void> {
  await deleteRowsBelow(steps, table, keys)
  await write(
    steps.database,
    sql`delete from ${sql.table(table)} where ${isAmong(steps.database, key, keys)}`,
  )
}

/** Returns the number of rows. */
async function write(database: Database, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await inTransaction(database, (tx) => statement.execute(tx))
  return Number(numAffectedRows ?? 0n)
}

function isAmong(database: Database, column: string, keys: readonly number[]): RawBuilder<unknown> {
  return isInJson(dialectOf(database), sql.ref(column), sql`${JSON.stringify(keys)}`)
}

/** Whether the row is one of the first rows that meet a condition; by the place of the row, which every table has. */
function isAmongFirst(
  database: Database,
  table: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const first = (place: string) =>
    sql`select ${sql.raw(place)} from ${sql.table(table)} where ${condition} limit ${sql.lit(STEP_ROWS)}`
  return dialectOf(database) === 'postgres'
    ? sql`ctid = any (array(${first('ctid')}))`
    : sql`rowid in (${first('rowid')})`
}
