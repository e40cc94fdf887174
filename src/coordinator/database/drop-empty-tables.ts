import { sql } from 'kysely'

import type { Database } from './connect.js'
import { inTransaction, type Transaction } from './transaction.js'

/**
 * Empties the schema of a SQLite database in which no table has a row, so that all migrations run again.
 * Returns false, and changes nothing, if a table has a row.
 */
export async function dropEmptyTables(database: Database): Promise<boolean> {
  return database.connection().execute(async (connection) => {
    // No order of drops satisfies tables that refer to each other. The setting has no effect inside a
    // transaction.
    await sql`pragma foreign_keys = off`.execute(connection)
    try {
      return await inTransaction(connection, dropTables)
    } finally {
      await sql`pragma foreign_keys = on`.execute(connection)
    }
  })
}

async function dropTables(tx: Transaction): Promise<boolean> {
  const names = await tableNames(tx)
  for (const name of names) if (await hasRow(tx, name)) return false
  for (const name of names) await tx.schema.dropTable(name).execute()
  await sql`delete from kysely_migration`.execute(tx)
  return true
}

/** Leaves out the internal tables of SQLite, those of its indexes of text, and those of the migrator. */
async function tableNames(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite\\_%' escape '\\' and name not like 'kysely\\_%' escape '\\'`.execute(
    tx,
  )
  return rows.map(({ name }) => name)
}

async function hasRow(tx: Transaction, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
  return rows.length > 0
}
