import { type ColumnBuilderCallback, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'

import type { DialectName } from '../connect.js'

/** Column types that the two databases spell differently. */
export interface ColumnKinds {
  id: <Table extends string, Columns extends string>(
    table: CreateTableBuilder<Table, Columns>,
  ) => CreateTableBuilder<Table, Columns | 'id'>
  json: RawBuilder<unknown>
}

export function columnKinds(dialect: DialectName): ColumnKinds {
  const identity: ColumnBuilderCallback = (column) =>
    dialect === 'sqlite'
      ? column.primaryKey().autoIncrement()
      : column.primaryKey().generatedByDefaultAsIdentity()
  return {
    id: (table) => table.addColumn('id', dialect === 'sqlite' ? 'integer' : 'bigint', identity),
    json: dialect === 'sqlite' ? sql`json` : sql`jsonb`,
  }
}
