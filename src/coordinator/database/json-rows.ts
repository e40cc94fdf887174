import { type RawBuilder, sql } from 'kysely'

import type { DialectName } from './connect.js'

type ColumnType = 'bigint' | 'double precision' | 'text' | 'boolean'

/**
 * Rows of values as a table, for `update … from`. They are one parameter, so the statement has the same text for any
 * number of rows.
 */
export function jsonRows<Row extends object>(
  dialect: DialectName,
  columns: Record<keyof Row & string, ColumnType>,
  rows: readonly Row[],
): RawBuilder<Row> {
  const json = JSON.stringify(rows)
  const names = Object.entries<ColumnType>(columns)
  if (dialect === 'postgres') {
    const typed = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`(select * from jsonb_to_recordset(${json}::jsonb) as given(${sql.join(typed)}))`
  }
  const read = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  // The limit makes SQLite begin with these rows. It might otherwise compare each row of the table with them.
  return sql`(select ${sql.join(read)} from json_each(${json}) limit -1)`
}
