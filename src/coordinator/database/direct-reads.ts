import type { Database } from './connect.js'

/** Reads of what has been committed, past the connection or the queue that transactions go through. */
export interface DirectReads {
  read: <Row>(text: string, parameters: unknown[]) => Row[] | Promise<Row[]>
}

const readsOf = new WeakMap<Database, DirectReads>()

export function useDirectReads(database: Database, reads: DirectReads): void {
  readsOf.set(database, reads)
}

/** Undefined for a transaction, which must see what it has written itself. */
export function directReadsOf(database: Database): DirectReads | undefined {
  return readsOf.get(database)
}
