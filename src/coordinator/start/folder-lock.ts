import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import Sqlite from 'better-sqlite3'

import { SwitchyardError } from '../../lib/errors.js'
import { replaceFile } from '../../lib/files.js'
import type { CoordinatorSettings } from './config/settings.js'

/** Another coordinator runs on the same database of SQLite. */
class FolderInUseError extends SwitchyardError {
  readonly name = 'FolderInUseError'
  readonly code = 'FOLDER_IN_USE'
}

const LOCK = 'coordinator.lock'
/** The holder of the lock. */
const HOLDER = 'coordinator.pid'

/** A process that is just ending has this many milliseconds. */
const WAIT = 1000
const INTERVAL = 100

/**
 * The lock of a data folder with a database of SQLite, which one coordinator uses. It is a lock of the system on an empty
 * database: it ends with the process, however that ends, and says nothing about process IDs, which differ between
 * containers. Commands beside the coordinator do not take it. On PostgreSQL there is none.
 */
export class FolderLock implements Disposable {
  private constructor(private readonly connection: Sqlite.Database | undefined) {}

  /** Throws `FolderInUseError`. */
  static async take({
    dataDir,
    database,
  }: Pick<CoordinatorSettings, 'dataDir' | 'database'>): Promise<FolderLock> {
    if (database.dialect !== 'sqlite') return new FolderLock(undefined)
    const connection = new Sqlite(join(dataDir, LOCK), { timeout: 0 })
    try {
      await lock(connection, dataDir)
      await replaceFile(join(dataDir, HOLDER), `process ${process.pid} on ${hostname()}\n`)
      return new FolderLock(connection)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.connection?.close()
  }
}

async function lock(connection: Sqlite.Database, dataDir: string): Promise<void> {
  for (let waited = 0; ; waited += INTERVAL) {
    try {
      connection.exec('begin exclusive')
      return
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
      if (waited >= WAIT) throw await inUse(dataDir)
      await setTimeout(INTERVAL)
    }
  }
}

async function inUse(dataDir: string): Promise<FolderInUseError> {
  const holder = await readFile(join(dataDir, HOLDER), 'utf8').catch(() => 'another process')
  return new FolderInUseError(
    `Another coordinator runs in ${dataDir}: ${holder.trim()}. Stop it, or name another folder with --data-dir; several ` +
      'coordinators need PostgreSQL (database_url).',
  )
}
