import type { Database } from '../../../database/connect.js'
import { afterCommit, storeOf, type Transaction } from '../../../database/transaction.js'

const listeners = new WeakMap<Database, () => void>()

/** `listener` is called after each transaction of this process on this database that adds deliveries. */
export function onNewDeliveries(database: Database, listener: () => void): void {
  listeners.set(database, listener)
}

export function notifyOfNewDeliveries(tx: Transaction): void {
  const listener = listeners.get(storeOf(tx))
  if (listener) afterCommit(tx, listener)
}
