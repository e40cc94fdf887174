import { setImmediate as nextPhase } from 'node:timers/promises'

import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../lib/group-by.js'
import { Turns } from '../../lib/turns.js'
import type { Database } from './connect.js'
import { directReadsOf } from './direct-reads.js'
import { isInJson, isTextInJson } from './json-rows.js'
import { preparedRead } from './prepared-read.js'
import type { Placeholder } from './prepared-statement.js'
import type { Tables } from './tables/database-tables.js'

/** Reads the row with this key, from the database or within a transaction. */
export type KeyedRead<Row, Value = number> = (database: Database, key: Value) => Promise<Row | undefined>

/** Reads the rows with this key, in the order of the query. */
export type KeyedRowsRead<Row, Value = number> = (database: Database, key: Value) => Promise<readonly Row[]>

/**
 * As `preparedRead`, for rows that are read by a unique key, several times for each job. A statement costs much more than a
 * row on PostgreSQL, where each takes a round trip: reads that are asked for at the same time share one. Several callers may
 * get the same row, and must not change it. `select` has no condition yet:
 *
 *     const jobById = keyedRead('id', (database) => database.selectFrom('job').selectAll())
 */
export function keyedRead<Key extends string, From extends keyof Tables, Row extends Record<Key, number>>(
  key: Key,
  select: (database: Database) => SelectQueryBuilder<Tables, From, Row>,
): KeyedRead<Row> {
  return firstOf(readBy(key, select, isInJson))
}

/** As `keyedRead`, for rows with a unique text. */
export function textKeyedRead<
  Key extends string,
  From extends keyof Tables,
  Row extends Record<Key, string | null>,
>(key: Key, select: (database: Database) => SelectQueryBuilder<Tables, From, Row>): KeyedRead<Row, string> {
  return firstOf(readBy(key, select, isTextInJson))
}

/** As `keyedRead`, for a key that several rows have. */
export function keyedRowsRead<Key extends string, From extends keyof Tables, Row extends Record<Key, number>>(
  key: Key,
  select: (database: Database) => SelectQueryBuilder<Tables, From, Row>,
): KeyedRowsRead<Row> {
  return readBy(key, select, isInJson)
}

function firstOf<Row, Value>(read: KeyedRowsRead<Row, Value>): KeyedRead<Row, Value> {
  return async (database, value) => (await read(database, value))[0]
}

function readBy<
  Value extends number | string,
  Key extends string,
  From extends keyof Tables,
  Row extends Record<Key, Value | null>,
>(
  key: Key,
  select: (database: Database) => SelectQueryBuilder<Tables, From, Row>,
  isIn: typeof isInJson,
): KeyedRowsRead<Row, Value> {
  const column = sql.ref(key)
  const readOne = preparedRead((database, { value }: { value: Placeholder<Value> }) =>
    select(database).where(sql<SqlBool>`${column} = ${value}`),
  )
  const readSeveral = preparedRead((database, { values }: { values: Placeholder<string> }, dialect) =>
    select(database).where(isIn(dialect, column, values)),
  )
  const turnsOf = new WeakMap<Database, Turns<'any', Value, readonly Row[]>>()
  return async (database, value) => {
    if (!directReadsOf(database)?.isRemote) return readOne(database, { value })
    const turns = turnsOf.get(database) ?? new Turns((_key, take) => serveTurn(database, take))
    turnsOf.set(database, turns)
    return turns.ask('any', value)
  }

  async function serveTurn(database: Database, take: () => readonly Value[]): Promise<(readonly Row[])[]> {
    // Requests that arrived with the first one have asked by then.
    await nextPhase()
    const values = take()
    const rows = await readSeveral(database, { values: JSON.stringify([...new Set(values)]) })
    const byKey = groupBy<Row, Value | null>(rows, (row) => row[key])
    return values.map((value) => byKey.get(value) ?? [])
  }
}
