import { sql } from 'kysely'

import type { Database, DialectName } from './connect.js'

export async function hasTable(database: Database, dialect: DialectName, name: string): Promise<boolean> {
  const { rows } = await (
    dialect === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(quote_ident(${name})) is not null`
  ).execute(database)
  return rows.length > 0
}
