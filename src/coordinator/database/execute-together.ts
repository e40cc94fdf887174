import type { CompiledQuery, QueryResult } from 'kysely'

import type { Transaction } from './transaction.js'

export type Queries<Rows extends unknown[]> = { [Index in keyof Rows]: CompiledQuery<Rows[Index]> }
export type Results<Rows extends unknown[]> = { [Index in keyof Rows]: QueryResult<Rows[Index]> }

/**
 * Executes statements in this order, and sends all of them before the first result arrives: on PostgreSQL, they take one
 * round trip. Each sees what those before it have changed or waited for. After an error, the others fail as well.
 */
export function executeTogether<Rows extends unknown[]>(
  tx: Transaction,
  queries: Queries<Rows>,
): Promise<Results<Rows>> {
  return tx.getExecutor().provideConnection(async (connection) => {
    const results = queries.map((query) => connection.executeQuery(query))
    return (await Promise.all(results)) as Results<Rows> // one for each
  })
}
