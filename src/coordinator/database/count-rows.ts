import { type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from './connect.js'

/**
 * Maximum length of a list that is counted for clients (API, A7). Counting one more row shows that a list is
 * longer.
 */
export const MAX_COUNTED = 10_000

/** Number of rows that are read within a millisecond. */
const FEW = 1000

/** Number of rows of the query; a number above 10,000 means "more than that". */
export function countRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  return countUpTo(database, MAX_COUNTED + 1, query)
}

/** Whether the query has more than a thousand rows, which is too many to read them one by one. */
export async function hasManyRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<boolean> {
  return (await countUpTo(database, FEW + 1, query)) > FEW
}

/** Number of rows of the query, at most `enough`. */
export async function countUpTo<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  enough: number,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  const some = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'))
    .limit(sql.lit(enough)) // as in `pageOf`
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${some}) as some_rows`.execute(
    database,
  )
  return rows[0]?.total ?? 0
}
