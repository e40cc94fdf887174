import { sql } from 'kysely'

import type { Database } from '../../../src/coordinator/database/connect.js'

/** All rows of all tables, and the recorded migrations; equal for stores in the same state. */
export async function contentOf(database: Database): Promise<Record<string, unknown>> {
  const tables = await database.introspection.getTables()
  const content: Record<string, unknown> = {}
  for (const { name, columns } of tables.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database)
    content[name] = { columns: columns.map((column) => column.name), rows }
  }
  const recorded = await sql`select name from kysely_migration order by name`.execute(database)
  return { ...content, recorded: recorded.rows }
}
