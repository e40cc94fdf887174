import type { Database } from './connect.js'
import { directReadsOf, type StoreVersion } from './direct-reads.js'

/**
 * Version of the committed data. Every commit of any process that changes something gives a new version,
 * which never occurs again. If two versions are equal, everything read in between is still current. A call
 * takes a few microseconds on SQLite; on PostgreSQL it takes a round trip, which concurrent calls share.
 */
export async function storeVersion(database: Database): Promise<StoreVersion> {
  const reads = directReadsOf(database)
  if (!reads) throw new TypeError('A transaction has no version: what it writes is not committed')
  return reads.version()
}
