import type { Kysely } from 'kysely'

import type { Tables } from './tables/database-tables.js'

/** Identifies a state of the database; see `storeVersion`. */
export type StoreVersion = number | string

/** Reads committed data, without waiting for the connection or queue of transactions. */
export interface DirectReads {
  /** Whether each read takes a round trip to a server. */
  readonly isRemote: boolean
  read: <Row>(text: string, parameters: readonly unknown[]) => Row[] | Promise<Row[]>
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
