import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { DialectName } from './connect.js'
import type { Placeholder } from './prepared-statement.js'

type ColumnType = 'bigint' | 'double precision' | 'text' | 'boolean'

/**
 * Rows of values as a table, for `update … from`. They are one parameter, so the statement has the same text for any
 * number of rows. In a prepared statement, `rows` is a placeholder of a JSON array with an object for each row.
 */
export function jsonRows<Row extends object>(
  dialect: DialectName,
  columns: Record<keyof Row & string, ColumnType>,
  rows: readonly Row[] | Placeholder<string>,
): RawBuilder<Row> {
  const json = 'expressionType' in rows ? rows : JSON.stringify(rows)
  const names = Object.entries<ColumnType>(columns)
  if (dialect === 'postgres') {
    const typed = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`(select * from jsonb_to_recordset(${json}::jsonb) as given(${sql.join(typed)}))`
  }
  const read = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  // The limit makes SQLite begin with these rows. It might otherwise compare each row of the table with them.
  return sql`(select ${sql.join(read)} from json_each(${json}) limit -1)`
}

/**
 * Whether a column is one of the IDs that `json` stands for, a JSON array. PostgreSQL reads them by a query of their own: it
 * would otherwise plan a prepared statement each time, because it expects less rows of an array that it knows.
 */
export function isInJson(
  dialect: DialectName,
  column: RawBuilder<unknown>,
  json: Placeholder<string>,
): RawBuilder<SqlBool> {
  return dialect === 'postgres'
    ? sql`${column} = any (array(select ${idsOnPostgres(json)}))`
    : sql`${column} in (select value from json_each(${json}))`
}

/** The IDs in a JSON array, as a set of rows. */
export function idsOnPostgres(json: Placeholder<string>): RawBuilder<number> {
  return sql`unnest(translate(${json}, '[]', '{}')::bigint[])`
}

/** As `isInJson`, for texts. */
export function isTextInJson(
  dialect: DialectName,
  column: RawBuilder<unknown>,
  json: Placeholder<string>,
): RawBuilder<SqlBool> {
  return dialect === 'postgres'
    ? sql`${column} = any (array(select jsonb_array_elements_text(${json}::jsonb)))`
    : isInJson(dialect, column, json)
}
