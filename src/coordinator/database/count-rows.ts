import { type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from './connect.js'

/** Longer lists are not counted for clients (API gaps, A7): counting one row more tells that they are longer. */
const ENOUGH = 10_001

/** How many rows the query has, or that it has more than 10,000. */
export async function countRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  const some = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'))
    .limit(ENOUGH)
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${some}) as some_rows`.execute(
    database,
  )
  return rows[0]?.total ?? 0
}
