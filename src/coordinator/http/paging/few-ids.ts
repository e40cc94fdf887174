import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

/** Databases limit the number of values in a query. */
const FEW = 1000

/** The IDs that a query selects; undefined if they are too many for another query to name them. */
export async function fewIds<Aliased, Table extends keyof Aliased>(
  query: SelectQueryBuilder<Aliased, Table, { id: number }>,
): Promise<number[] | undefined> {
  const rows = await query.limit(sql.lit(FEW + 1)).execute()
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}

/** Whether a column is one of the IDs. Unlike `in`, also for none: PostgreSQL refuses an empty list. */
export function isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  return ids.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(ids)})`
}
