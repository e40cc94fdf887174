import { type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from './connect.js'

/** Longer lists are not counted for clients (API, A7): counting one row more tells that they are longer. */
export const MAXIMUM_COUNTED = 10_000

/** Rows that are gone through in a millisecond. */
const FEW = 1000

/** How many rows the query has, or that it has more than 10,000. */
export function countRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  return countUpTo(database, MAXIMUM_COUNTED + 1, query)
}

/** Whether the query has more than a thousand rows: too many to go through each of them. */
export async function hasManyRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<boolean> {
  return (await countUpTo(database, FEW + 1, query)) > FEW
}

async function countUpTo<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  enough: number,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  const some = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'))
    .limit(enough)
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${some}) as some_rows`.execute(
    database,
  )
  return rows[0]?.total ?? 0
}
