import { stat } from 'node:fs/promises'

import Sqlite from 'better-sqlite3'

/** Bytes that the log of commits may keep. */
export const LOG_BYTES = 16 * 1024 * 1024
/** Seconds between two looks at the log. */
const INTERVAL = 30
/** Pages that are left to be moved into the database: more would stop the process for a while. */
const MAX_PAGES = 1000

/**
 * Looks now and then whether the log of commits has grown, such as behind a long read, and empties it. SQLite keeps the size
 * that the file once had until the last connection is closed. Returns what ends that.
 */
export function shrinkLogWhenIdle(database: Sqlite.Database): () => void {
  const timer = setInterval(() => void shrink(database), INTERVAL * 1000)
  timer.unref()
  return () => clearInterval(timer)
}

async function shrink(database: Sqlite.Database): Promise<void> {
  const size = await stat(`${database.name}-wal`).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= LOG_BYTES || !database.open || database.inTransaction) return
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    if (state && state.log - state.checkpointed <= MAX_PAGES) database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // A reader that needs the log, or another process that writes, is waited for until the next look. A disk that fails
    // fails the next commit too, which reports it.
    if (!(error instanceof Sqlite.SqliteError)) throw error
  }
}
