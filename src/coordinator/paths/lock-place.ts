import { sql } from 'kysely'

import type { Database } from '../database/connect.js'

/**
 * Lets nobody else put a project or a group into the namespace until the transaction is over: their paths have indexes of
 * their own each, which do not tell of one another. A write, for the databases spell locks differently.
 */
export async function lockPlace(tx: Database, namespaceId: number): Promise<void> {
  await sql`update namespace set created_at = created_at where id = ${namespaceId}`.execute(tx)
}
