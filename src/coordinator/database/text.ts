import { type Expression, sql, type SqlBool } from 'kysely'

import type { DialectName } from './connect.js'

/** Case-insensitive equality, by the same rules as the unique indexes. */
export function sameText(
  column: Expression<unknown>,
  text: string | Expression<string>,
): Expression<SqlBool> {
  return sql<SqlBool>`lower(${column}) = lower(${text})`
}

/** Whether one of the columns contains `text`; none of the columns may be null. Each row is searched once. */
export function anyContainsText(columns: Expression<unknown>[], text: string): Expression<SqlBool> {
  return containsText(sql`(${sql.join(columns, sql` || ${sql.lit('\n')} || `)})`, text.replaceAll('\n', ' '))
}

/** SQLite refuses patterns above 50,000 bytes. Lower case may take more bytes than upper case. */
const MAX_PATTERN_BYTES = 40_000

/**
 * Whether the column contains `text`, case-insensitive; `%` and `_` are literal. False for a text of more than
 * about 40,000 bytes.
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) return sql<SqlBool>`false`
  return sql<SqlBool>`lower(${column}) like lower(${pattern}) escape '\\'`
}

/**
 * Whether a JSON list of texts has the entry. In the text that SQLite keeps, the quoted entry cannot match anything else.
 */
export function containsEntry(
  dialect: DialectName,
  list: Expression<unknown>,
  entry: string,
): Expression<SqlBool> {
  return dialect === 'postgres'
    ? sql<SqlBool>`jsonb_exists(${list}, ${entry})`
    : sql<SqlBool>`instr(${list}, ${JSON.stringify(entry)}) > 0`
}
