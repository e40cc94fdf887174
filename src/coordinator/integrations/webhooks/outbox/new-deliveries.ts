import type { Database } from '../../../database/connect.js'
import { afterCommit, storeOf, type Transaction } from '../../../database/transaction.js'

const listeners = new WeakMap<Database, () => void>()

/** `listener` is called whenever a transaction on this store, of this process, has left deliveries to be made. */
export function onNewDeliveries(database: Database, listener: () => void): void {
  listeners.set(database, listener)
}

export function notifyOfNewDeliveries(tx: Transaction): void {
  const listener = listeners.get(storeOf(tx))
  if (listener) afterCommit(tx, listener)
}
