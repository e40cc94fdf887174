import type { Database } from '../database/connect.js'
import { lockRow } from '../database/lock-row.js'

/**
 * Lets nobody else put a project or a group into the namespace until the transaction is over: their paths have indexes of
 * their own each, which do not tell of one another.
 */
export async function lockPlace(tx: Database, namespaceId: number): Promise<void> {
  await lockRow(tx, 'namespace', namespaceId)
}
