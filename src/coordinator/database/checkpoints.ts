import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

import Sqlite from 'better-sqlite3'

import { CHECKPOINT_THREAD_FILE, type CheckpointTask } from './checkpoint-thread.js'

/** Bytes that the file of the write-ahead log may keep. */
const LOG_BYTES = 16 * 1024 * 1024
/** Pages of the log after which they are copied into the database, as SQLite does by itself. */
const MIN_PAGES = 1000
/** Maximum pages that are copied on the event loop, of 4 KiB each; a thread copies more. */
const MAX_PAGES = 2000
/** Milliseconds between two checks of the log without commits. */
const INTERVAL = 30_000
/** Milliseconds between two threads while a reader keeps the pages in the log. */
const THREAD_PAUSE = 5000

/**
 * Copies the pages of the write-ahead log into the database. SQLite would do that within a commit: the first commit after
 * a long read, such as that of a backup, would copy everything that was written since the read began, and cut the file.
 * That takes 5 s for a log of 1 GiB. So few pages are copied after a commit. A thread copies many, and empties a file that
 * has grown; SQLite keeps its size otherwise until the last connection is closed.
 */
export class Checkpoints {
  private readonly state: Sqlite.Statement<[], { log: number; checkpointed: number }>
  private readonly timer: NodeJS.Timeout
  private thread: Promise<void> | undefined
  private pause: NodeJS.Timeout | undefined

  constructor(private readonly database: Sqlite.Database) {
    database.pragma('wal_autocheckpoint = 0')
    this.state = database.prepare('pragma wal_checkpoint(NOOP)')
    this.timer = setInterval(() => void this.shrink(), INTERVAL)
    this.timer.unref()
  }

  /** Called after commits. */
  afterCommit(): void {
    if (this.database.inTransaction) return
    const pages = this.pending()
    if (pages > MAX_PAGES) this.startThread()
    else if (pages >= MIN_PAGES) attempt(() => this.database.pragma('wal_checkpoint(PASSIVE)'))
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.thread
    clearTimeout(this.pause)
  }

  private async shrink(): Promise<void> {
    const size = await stat(`${this.database.name}-wal`).then(
      (found) => found.size,
      () => 0,
    )
    if (size > LOG_BYTES && this.database.open) this.startThread()
  }

  /** Pages of the log that are not in the database. */
  private pending(): number {
    if (!this.database.open) return 0
    const state = attempt(() => this.state.get())
    return state ? state.log - state.checkpointed : 0
  }

  private startThread(): void {
    if (this.thread || this.pause) return
    const workerData: CheckpointTask = { checkpointOf: this.database.name }
    const thread = new Worker(CHECKPOINT_THREAD_FILE, { workerData, execArgv: [] })
    // Its errors are those of `attempt`; without a listener they would end the process.
    thread.on('error', () => undefined)
    this.thread = once(thread, 'exit').then(() => this.afterThread())
  }

  private afterThread(): void {
    this.thread = undefined
    if (this.pending() <= MAX_PAGES) return
    const again = () => {
      this.pause = undefined
      this.afterCommit()
    }
    this.pause = setTimeout(again, THREAD_PAUSE)
    this.pause.unref()
  }
}

/**
 * A reader that needs the log, or another process that writes, is waited for until the next attempt. A disk that fails
 * fails the next commit too, which reports it.
 */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error
    return undefined
  }
}
