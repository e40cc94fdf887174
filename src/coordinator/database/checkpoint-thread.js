// A worker thread that copies the write-ahead log into the database, so that the coordinator serves requests in the
// meantime. This is JavaScript because Node.js also has to start it from src/, without the bundle.
import { fileURLToPath } from 'node:url'
import { isMainThread, workerData } from 'node:worker_threads'

import Sqlite from 'better-sqlite3'

export const CHECKPOINT_THREAD_FILE = fileURLToPath(import.meta.url)

/**
 * The `workerData` of this thread. Other threads may import this file too.
 * @typedef {{ checkpointOf: string }} CheckpointTask
 */

const task = /** @type {Partial<CheckpointTask> | null} */ (workerData)
if (!isMainThread && task?.checkpointOf !== undefined) checkpoint(task.checkpointOf)

/**
 * Waits for no reader and no writer. Only when all pages are copied, writers wait until the file is empty.
 * @param {string} file
 */
function checkpoint(file) {
  const connection = new Sqlite(file, { fileMustExist: true })
  try {
    connection.pragma('synchronous = NORMAL')
    connection.pragma('busy_timeout = 0')
    const [state] = /** @type {{ log: number, checkpointed: number }[]} */ (
      connection.pragma('wal_checkpoint(PASSIVE)')
    )
    if (state?.log === state?.checkpointed) connection.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
}
