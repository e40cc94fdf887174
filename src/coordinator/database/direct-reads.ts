import type { Kysely } from 'kysely'

import type { Tables } from './tables/database-tables.js'

/**
 * Whether PostgreSQL plans a query once or twice per connection, or each time. A plan made for an empty table
 * is bad for a large one, and is kept until the table is analyzed.
 */
export type Planning = 'once' | 'each time'

/** Identifies a state of the database; see `storeVersion`. */
export type StoreVersion = number | string

/** Reads committed data, without waiting for the connection or queue of transactions. */
export interface DirectReads {
  read: <Row>(text: string, parameters: readonly unknown[], planning: Planning) => Row[] | Promise<Row[]>
  version: () => StoreVersion | Promise<StoreVersion>
}

const readsOf = new WeakMap<Kysely<Tables>, DirectReads>()

export function useDirectReads(database: Kysely<Tables>, reads: DirectReads): void {
  readsOf.set(database, reads)
}

/** Undefined for a transaction, which must see its own writes. */
export function directReadsOf(database: Kysely<Tables>): DirectReads | undefined {
  return readsOf.get(database)
}
