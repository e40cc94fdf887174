import { sql } from 'kysely'

import type { Database } from '../../../src/coordinator/database/connect.js'

interface SchemaColumn {
  type: string
  isNullable: boolean
  hasDefault: boolean
}

/** Columns by table and name. */
export type Schema = Record<string, Record<string, SchemaColumn>>

/** The schema of SQLite, which has the tables and columns of PostgreSQL. */
export async function schemaOf(database: Database): Promise<Schema> {
  const { rows } = await sql<{
    table: string
    name: string
    type: string
    notnull: number
    dflt_value: unknown
    pk: number
  }>`
    select tables.name as "table", columns.name, columns.type, columns."notnull", columns.dflt_value, columns.pk
    from pragma_table_list as tables, pragma_table_info(tables.name) as columns
    where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite!_%' escape '!'`.execute(
    database,
  )
  const schema: Schema = {}
  for (const { table, name, type, notnull, dflt_value, pk } of rows) {
    const columns = (schema[table] ??= {})
    columns[name] = {
      type,
      isNullable: notnull === 0,
      hasDefault: dflt_value !== null || (pk > 0 && name === 'id'),
    }
  }
  return schema
}

/**
 * What a coordinator that was written for `before` can no longer do with `after`: read a column or table that is gone,
 * or insert a row without a column that it does not know. Pure.
 */
export function breakingChanges(before: Schema, after: Schema): string[] {
  return Object.entries(before).flatMap(([table, columns]) => {
    const now = after[table]
    if (!now) return [`${table} is gone`]
    const changed = Object.entries(columns).flatMap(([name, column]) =>
      changesOf(`${table}.${name}`, column, now[name]),
    )
    const added = Object.entries(now)
      .filter(([name, column]) => !columns[name] && !column.isNullable && !column.hasDefault)
      .map(([name]) => `${table}.${name} is new, and needs a value`)
    return [...changed, ...added]
  })
}

function changesOf(name: string, before: SchemaColumn, after: SchemaColumn | undefined): string[] {
  if (!after) return [`${name} is gone`]
  if (after.type !== before.type) return [`${name} has another type`]
  if (before.isNullable && !after.isNullable) return [`${name} must not be null any more`]
  return before.hasDefault && !after.hasDefault && !after.isNullable
    ? [`${name} has no default any more`]
    : []
}
