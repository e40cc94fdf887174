import { type SelectQueryBuilder, sql } from 'kysely'

/** Databases limit the number of values in a query. */
const FEW = 1000

/** The IDs that a query selects; undefined if they are more than `most`, by default too many for another query to name them. */
export async function fewIds<Aliased, Table extends keyof Aliased>(
  query: SelectQueryBuilder<Aliased, Table, { id: number }>,
  most = FEW,
): Promise<number[] | undefined> {
  const rows = await query.limit(sql.lit(most + 1)).execute()
  return rows.length > most ? undefined : rows.map(({ id }) => id)
}
