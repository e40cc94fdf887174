import type { Kysely } from 'kysely'

import type { Tables } from './tables/database-tables.js'

/**
 * Whether PostgreSQL plans a query for each connection once or twice, or every time: a plan that was made for an empty
 * table is a bad one for a large table, and is kept until that has been analysed.
 */
export type Planning = 'once' | 'each time'

/** Names a state of the store; see `storeVersion`. */
export type StoreVersion = number | string

/** Reads of what has been committed, past the connection or the queue that transactions go through. */
export interface DirectReads {
  read: <Row>(text: string, parameters: unknown[], planning: Planning) => Row[] | Promise<Row[]>
  version: () => StoreVersion | Promise<StoreVersion>
}

const readsOf = new WeakMap<Kysely<Tables>, DirectReads>()

export function useDirectReads(database: Kysely<Tables>, reads: DirectReads): void {
  readsOf.set(database, reads)
}

/** Undefined for a transaction, which must see what it has written itself. */
export function directReadsOf(database: Kysely<Tables>): DirectReads | undefined {
  return readsOf.get(database)
}
