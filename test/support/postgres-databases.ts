import { sql } from 'kysely'

import { connectDatabase, type Database } from '../../src/coordinator/database/connect.js'

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database: a copy of `template` (which must have no connections), or an empty one. */
export async function createDatabase(serverUrl: string, name: string, template = 'template0'): Promise<void> {
  await withServer(serverUrl, (server) =>
    sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(server),
  )
}

/** Drops a database, and the connections to it that a test left open. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withServer(serverUrl, (server) =>
    sql`drop database if exists ${sql.id(name)} with (force)`.execute(server),
  )
}

/** Drops all databases whose names begin with `prefix`. */
export async function dropDatabasesNamed(serverUrl: string, prefix: string): Promise<void> {
  await withServer(serverUrl, async (server) => {
    const { rows } = await sql<{ name: string }>`
      select datname as name from pg_database where starts_with(datname, ${prefix})`.execute(server)
    for (const { name } of rows) await dropDatabase(serverUrl, name)
  })
}

async function withServer(url: string, work: (server: Database) => Promise<unknown>): Promise<void> {
  const server = connectDatabase({ dialect: 'postgres', url })
  try {
    await work(server)
  } finally {
    await server.destroy()
  }
}
