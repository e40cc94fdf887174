import { type Selectable, sql } from 'kysely'

import type { Tables } from '../tables.js'
import type { Database } from './connect.js'

/**
 * Makes whoever locks the same row wait until the transaction is over; answers the row as it is then, undefined when it is
 * gone. A write, for the databases spell locks differently.
 */
export async function lockRow<Name extends 'namespace' | 'project' | 'user'>(
  tx: Database,
  table: Name,
  id: number,
): Promise<Selectable<Tables[Name]> | undefined> {
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set name = name where id = ${id} returning *`.execute(tx)
  return rows[0]
}
