import { type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from './connect.js'

/** Longer lists are not counted for clients (API gaps, A7): counting one row more tells that they are longer. */
export const MAXIMUM_COUNTED = 10_000

/** Rows that are gathered and sorted sooner than they are met on the way through all that there are. */
const FEW = 1000

/** How many rows the query has, or that it has more than 10,000. */
export function countRows<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  query: SelectQueryBuilder<Aliased, Table, Row>,
): Promise<number> {
  return countUpTo(database, MAXIMUM_COUNTED + 1, query)
}

/**
 * Whether the query has more than a thousand rows. What belongs to few things is best found from those; what belongs to many
 * is met soon enough in the order of the list, where the page ends the search.
 */
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
