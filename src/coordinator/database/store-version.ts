import type { Database } from './connect.js'
import { directReadsOf, type StoreVersion } from './direct-reads.js'

/**
 * The version of what has been committed: another one after every commit that changed something, whichever process it is
 * of, and never an earlier one again. Two that are equal mean that whatever was read between them would be read again.
 * Asking costs a few microseconds on SQLite, and on PostgreSQL a round trip, which those who ask at the same time share.
 */
export async function storeVersion(database: Database): Promise<StoreVersion> {
  const reads = directReadsOf(database)
  if (!reads) throw new TypeError('A transaction has no version: what it writes is not committed')
  return reads.version()
}
