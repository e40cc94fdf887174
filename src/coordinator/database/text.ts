import { type Expression, sql, type SqlBool } from 'kysely'

/** Equality without regard to case, by the same rules as the unique indexes. */
export function sameText(
  column: Expression<unknown>,
  text: string | Expression<string>,
): Expression<SqlBool> {
  return sql<SqlBool>`lower(${column}) = lower(${text})`
}

/** Whether the column contains `text`, in either case; `%` and `_` stand for themselves. */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${column}) like lower(${pattern}) escape '\\'`
}
