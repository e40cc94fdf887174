import { sql } from 'kysely'
import { afterAll } from 'vitest'

import type { Database } from '../../src/coordinator/database/connect.js'
import { inTransaction } from '../../src/coordinator/database/transaction.js'
import { type OpenDatabase, openSqlite } from './databases.js'
import { openWithCleanUps } from './lifetime.js'

/**
 * A scene on SQLite that is built once for all tests of a file: each of them finds the rows that were there when it was
 * built. On PostgreSQL, each test gets a scene of its own. Files and what services keep in memory are not reset, so it is
 * for tests whose outcome is in the database.
 */
export function sceneForFile<Scene>(
  build: (open: OpenDatabase) => Promise<Scene>,
): (open?: OpenDatabase) => Promise<Scene> {
  let shared: { scene: Scene; rows: KeptRows; close: () => Promise<void> } | undefined
  afterAll(() => shared?.close())
  return async (open = openSqlite) => {
    if (open !== openSqlite) return build(open)
    if (shared) await shared.rows.restore()
    else {
      const { value, close } = await openWithCleanUps(async () => {
        const store = await open()
        const scene = await build(async () => store)
        return { scene, rows: await KeptRows.of(store.database) }
      })
      shared = { ...value, close }
    }
    return shared.scene
  }
}

/** The rows of a store on SQLite, in a second store in memory. */
class KeptRows {
  private constructor(
    private readonly database: Database,
    private readonly tables: readonly string[],
    private readonly kept: ReadonlySet<string>,
  ) {}

  static async of(database: Database): Promise<KeptRows> {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'
        and name not like 'kysely%' order by name like '%\\_due' escape '\\'`.execute(database)
    const tables = rows.map(({ name }) => name)
    await sql`attach ':memory:' as kept`.execute(database)
    const kept = new Set(await filledTables(database, tables))
    for (const table of kept) {
      await sql`create table ${sql.table(`kept.${table}`)} as select * from ${sql.table(`main.${table}`)}`.execute(
        database,
      )
    }
    return new KeptRows(database, tables, kept)
  }

  async restore(): Promise<void> {
    const { database, tables, kept } = this
    const filled = new Set(await filledTables(database, tables))
    await sql`pragma foreign_keys = off`.execute(database)
    await inTransaction(database, async (tx) => {
      for (const table of tables) {
        if (filled.has(table)) await sql`delete from ${sql.table(`main.${table}`)}`.execute(tx)
        if (!kept.has(table)) continue
        await sql`insert into ${sql.table(`main.${table}`)} select * from ${sql.table(`kept.${table}`)}`.execute(
          tx,
        )
      }
    })
    await sql`pragma foreign_keys = on`.execute(database)
  }
}

async function filledTables(database: Database, tables: readonly string[]): Promise<string[]> {
  const looks = tables.map(
    (table) => sql`select ${sql.lit(table)} as name where exists (select 1 from ${sql.table(table)})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(database)
  return rows.map(({ name }) => name)
}
