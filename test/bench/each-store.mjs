import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startPostgres } from './postgres.mjs'

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('../../src/coordinator/database/connect.js').DatabaseSettings} DatabaseSettings */

/**
 * An empty store of one kind; a coordinator that is started with the flags uses it. `pid`: of the server.
 * @typedef {{ name: string, settings: DatabaseSettings, flags: string[], pid?: number | undefined }} Store
 */

/**
 * Measures on SQLite, then on PostgreSQL.
 * @param {(store: Store) => Promise<Figure[]>} measure
 * @returns {Promise<Figure[]>}
 */
export async function onEachStore(measure) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-store-'))
  const postgres = await startPostgres()
  try {
    /** @type {Store[]} */
    const stores = [
      {
        name: 'SQLite',
        settings: { dialect: 'sqlite', file: join(folder, 'switchyard.db') },
        flags: ['--data-dir', folder],
      },
      {
        name: 'PostgreSQL',
        settings: { dialect: 'postgres', url: postgres.url },
        flags: ['--database-url', postgres.url],
        pid: postgres.pid,
      },
    ]
    /** @type {Figure[]} */
    const figures = []
    for (const store of stores) figures.push(...(await measure(store)))
    return figures
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
