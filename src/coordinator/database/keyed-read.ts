import { setImmediate as nextPhase } from 'node:timers/promises'

import { Turns } from '../../lib/turns.js'
import type { Database } from './connect.js'
import { directReadsOf } from './direct-reads.js'
import { preparedRead } from './prepared-read.js'
import type { BuildStatement, Placeholder } from './prepared-statement.js'

/** Reads the row with this key, from the database or within a transaction. */
export type KeyedRead<Row> = (database: Database, key: number) => Promise<Row | undefined>

interface KeyedStatements<Row> {
  one: BuildStatement<{ key: Placeholder<number> }, Row>
  /** `keys` is a JSON array (`isInJson`). */
  several: BuildStatement<{ keys: Placeholder<string> }, Row>
  keyOf: (row: Row) => number
}

/**
 * As `preparedRead`, for rows that are read by a unique key, several times for each job. A statement costs much more than a
 * row on PostgreSQL, where each takes a round trip: reads that are asked for at the same time share one. Several callers may
 * get the same row, and must not change it.
 */
export function keyedRead<Row>({ one, several, keyOf }: KeyedStatements<Row>): KeyedRead<Row> {
  const readOne = preparedRead(one)
  const readSeveral = preparedRead(several)
  const turnsOf = new WeakMap<Database, Turns<'any', number, Row | undefined>>()
  return async (database, key) => {
    if (!directReadsOf(database)?.isRemote) return (await readOne(database, { key }))[0]
    const turns = turnsOf.get(database) ?? new Turns((_key, take) => serveTurn(database, take))
    turnsOf.set(database, turns)
    return turns.ask('any', key)
  }

  async function serveTurn(database: Database, take: () => readonly number[]): Promise<(Row | undefined)[]> {
    // Requests that arrived with the first one have asked by then.
    await nextPhase()
    const keys = take()
    const rows = await readSeveral(database, { keys: JSON.stringify([...new Set(keys)]) })
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    return keys.map((key) => byKey.get(key))
  }
}
