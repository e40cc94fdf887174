import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { ensurePostgres } from '../../scripts/setup/postgres.mjs'
import { connectDatabase } from '../../src/coordinator/database/connect.js'
import { migrate } from '../../src/coordinator/database/migrate.js'
import { messageOf } from '../../src/lib/errors.js'
import { createDatabase, databaseUrl, dropDatabase, dropDatabasesNamed } from './postgres-databases.js'
import { type PostgresServer, startPostgresServer } from './postgres-server.js'

/** Values for a test worker: the URL of the server, and the migrated template database. */
export interface PostgresStore {
  url: string
  /** For connections of the tests themselves; those of coordinators in processes of their own go over TCP. */
  socketUrl: string
  template: string
  /** Name prefix of the databases of workers; databases that are left are dropped at the end of the run. */
  prefix: string
}

interface RunningStore extends PostgresStore {
  stop(): Promise<void>
}

/**
 * Test workers are processes of their own, and most runs have no need of PostgreSQL. The first worker that asks (any
 * HTTP request) starts the server for all of them; `stop` ends it if it was started.
 */
export async function servePostgresOnDemand(givenUrl: string | undefined) {
  let store: Promise<RunningStore> | undefined
  const server = createServer((_request, response) => {
    store ??= startStore(givenUrl)
    store.then(
      ({ stop: _, ...given }) => response.end(JSON.stringify(given satisfies PostgresStore)),
      (error: unknown) => response.writeHead(500).end(messageOf(error)),
    )
  })
  const port = await listen(server)
  return {
    port,
    async stop(): Promise<void> {
      server.close()
      server.closeAllConnections()
      // A failed start was reported to the worker that requested it.
      const running = await store?.catch(() => undefined)
      await running?.stop()
    },
  }
}

async function startStore(givenUrl: string | undefined): Promise<RunningStore> {
  const server = givenUrl === undefined ? await startOwnServer() : serverOfAnother(givenUrl)
  const template = `switchyard_template_${process.pid}`
  const prefix = `switchyard_test_${process.pid}_`
  await createDatabase(server.url, template)
  await migrateDatabase(databaseUrl(server.url, template))
  return {
    url: server.url,
    socketUrl: server.socketUrl,
    template,
    prefix,
    async stop() {
      await dropDatabasesNamed(server.url, prefix)
      await dropDatabase(server.url, template)
      await server.stop()
    },
  }
}

async function startOwnServer(): Promise<PostgresServer> {
  await ensurePostgres()
  return startPostgresServer()
}

/** A server that the test run does not start or stop. */
function serverOfAnother(url: string): PostgresServer {
  return { url, socketUrl: url, stop: () => Promise.resolve() }
}

async function migrateDatabase(url: string): Promise<void> {
  const settings = { dialect: 'postgres', url } as const
  const database = connectDatabase(settings)
  try {
    await migrate(database, settings)
  } finally {
    await database.destroy()
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
