import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

const PAGE = 500

/**
 * Iterates over the rows of `matching` in `table` in the order of their IDs, with at most one page in memory. `column` has
 * the IDs, which are unique; the rows have them as `id`.
 */
export async function* inPages<Tables, Joined extends keyof Tables, Row extends { id: number }>(
  matching: SelectQueryBuilder<Tables, Joined, Row>,
  table: string,
  column = 'id',
): AsyncGenerator<Row> {
  const id = sql.ref<number>(`${table}.${column}`)
  for (let after = 0; ;) {
    const rows = await matching
      .where(sql<SqlBool>`${id} > ${after}`)
      .orderBy(id)
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
