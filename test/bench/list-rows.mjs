import { sql } from 'kysely'

/** @typedef {import('../../src/coordinator/database/connect.js').Database} Database */

/** Far above those that were made one by one. */
export const FIRST_ID = 1000

/**
 * Copies one row `count` times, with ids from `FIRST_ID` on where it has any. `changes` are SQL expressions of `i`, which
 * counts from 0; a column that is not named is as in the row.
 * @param {Database} database
 * @param {string} table
 * @param {Record<string, string>} row that is copied, by its columns' values as SQL
 * @param {number} count
 * @param {Record<string, string>} changes
 */
export async function copyRow(database, table, row, count, changes) {
  const tables = await database.introspection.getTables()
  const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  /** @type {Record<string, string>} */
  const set = { ...(columns.includes('id') ? { id: `${FIRST_ID} + i` } : {}), ...changes }
  const values = columns.map((name) => sql.raw(set[name] ?? `original."${name}"`))
  const isIt = Object.entries(row).map(([column, value]) => sql.raw(`original."${column}" = ${value}`))
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${sql.lit(count - 1)})
    select ${sql.join(values)} from numbers, ${sql.table(table)} as original
    where ${sql.join(isIt, sql` and `)}`.execute(database)
}
