import { sql } from 'kysely'

import type { Database } from '../../../src/coordinator/database/connect.js'

/** A foreign key of SQLite. */
export interface Reference {
  table: string
  column: string
  to: string
  /** `CASCADE`, `SET NULL` or `NO ACTION`. */
  onDelete: string
}

export async function referencesOf(database: Database): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select tables.name as "table", keys."from" as "column", keys."table" as "to", keys.on_delete as "onDelete"
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
    where tables.type = 'table' order by tables.name, keys."from"`.execute(database)
  return rows
}

/** The tables with a foreign key to one of these, or to one that has such a key. */
export function tablesAround(roots: readonly string[], references: readonly Reference[]): string[] {
  const found = new Set(roots)
  for (;;) {
    const more = references.filter(({ table, to }) => found.has(to) && !found.has(table))
    if (more.length === 0) return [...found]
    for (const { table } of more) found.add(table)
  }
}

export async function nullableColumns(database: Database, table: string): Promise<string[]> {
  const { rows } = await sql<Column>`select * from pragma_table_info(${table})`.execute(database)
  return rows.filter(({ notnull }) => notnull === 0).map(({ name }) => name)
}

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

/**
 * Inserts a row into a table of SQLite that refers to the rows of `ids`, by table; with other values that only have the
 * right type. Nullable references to other tables, and to those of `without`, stay null.
 */
export async function insertSomeRow(
  database: Database,
  table: string,
  ids: Readonly<Record<string, number | undefined>>,
  { references, without = [] }: { references: readonly Reference[]; without?: readonly string[] },
): Promise<void> {
  const { rows: columns } = await sql<Column>`select * from pragma_table_info(${table})`.execute(database)
  const values: [string, unknown][] = []
  for (const { name, type, notnull, dflt_value, pk } of columns) {
    const reference = references.find((each) => each.table === table && each.column === name)
    const id = reference && ids[reference.to]
    if (reference && notnull === 0 && without.includes(reference.to)) continue
    if (id !== undefined) values.push([name, id])
    else if (reference && notnull === 1) throw new Error(`${table}.${name} refers to ${reference.to}`)
    else if (!reference && (notnull === 1 || pk > 0) && dflt_value === null && !(pk > 0 && name === 'id')) {
      // SQLite lets keys other than `id` be null.
      values.push([name, /text/i.test(type) ? `some ${name}` : 1])
    }
  }
  const names = sql.join(values.map(([name]) => sql.ref(name)))
  const given = sql.join(values.map(([, value]) => sql`${value}`))
  await sql`insert into ${sql.table(table)} (${names}) values (${given})`.execute(database)
}

/** Numbers of rows by table, of tables that have any. */
export async function rowCounts(
  database: Database,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables.toSorted()) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database,
    )
    if (rows[0] && rows[0].count > 0) counts[table] = rows[0].count
  }
  return counts
}
