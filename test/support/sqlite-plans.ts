import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'

import type { Database } from '../../src/coordinator/database/connect.js'
import type { Tables } from '../../src/coordinator/database/tables/database-tables.js'

/** The texts of the statements that a read runs while all of its responses are empty. */
export async function statementsOf(read: (database: Database) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const nothing = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query.sql)
    },
  })
  await read(nothing)
  return statements
}

/** The steps by which SQLite runs a statement without knowing its parameters. */
export async function stepsOf(database: Database, statement: string): Promise<string[]> {
  const { rows } = await sql<{
    detail: string
  }>`explain query plan ${sql.raw(statement.replaceAll('?', '1'))}`.execute(database)
  return rows.map(({ detail }) => detail)
}
