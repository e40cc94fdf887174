import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

import type { Selectable } from 'kysely'

import type { Logger } from '../../../lib/logger.js'
import { DAY } from '../../../lib/time-units.js'
import { VERSION } from '../../../lib/version.js'
import type { Database } from '../../database/connect.js'
import type { CoordinatorTable } from '../../database/tables/coordinators.js'

export type CoordinatorRow = Selectable<CoordinatorTable>

/** Seconds from one record of a coordinator to the next. */
export const RECORD_SECONDS = 15
/** A coordinator that has not recorded itself for so long is not running, in milliseconds. */
const ALIVE = 4 * RECORD_SECONDS * 1000
/** Coordinators that have not recorded themselves for so long are not shown any more, in milliseconds. */
const SHOWN = DAY

/** Records that this process runs. */
export class CoordinatorRecord {
  readonly id = randomUUID()
  private readonly startedAt: number
  private isWritten = false

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    /** Number of open live streams. */
    private readonly streams: () => number,
    private readonly now: () => number = Date.now,
  ) {
    this.startedAt = now()
  }

  /** Periodic task: renews the row of this process, and deletes those of processes that ended long ago. */
  async write(): Promise<void> {
    const seen_at = this.now()
    const state = { streams: this.streams(), memory_bytes: process.memoryUsage.rss(), seen_at }
    const identity = { id: this.id, host: hostname(), pid: process.pid, version: VERSION }
    await this.database
      .insertInto('coordinator')
      .values({ ...identity, ...state, started_at: this.startedAt })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
      .execute()
    this.isWritten = true
    await this.database
      .deleteFrom('coordinator')
      .where('seen_at', '<', seen_at - SHOWN)
      .execute()
  }

  /** Records this process, unless that is done. */
  async ensure(): Promise<void> {
    if (!this.isWritten) await this.write()
  }

  /** Call it when the process stops. A failure is logged, because the stop must not fail with it. */
  async delete(): Promise<void> {
    if (!this.isWritten) return
    try {
      await this.database.deleteFrom('coordinator').where('id', '=', this.id).execute()
    } catch (error) {
      this.logger.warn({ err: error }, 'Failed to record that this coordinator stops')
    }
  }
}

/** The processes that run, and those that ended unexpectedly within a day, the oldest first. */
export function listCoordinators(database: Database): Promise<CoordinatorRow[]> {
  return database.selectFrom('coordinator').selectAll().orderBy('started_at').orderBy('id').execute()
}

export function isAlive({ seen_at }: CoordinatorRow, now: number): boolean {
  return now - seen_at < ALIVE
}

/**
 * Whether this coordinator performs the tasks that only one coordinator performs: it is the oldest of those that run.
 */
export function isInCharge(coordinators: readonly CoordinatorRow[], id: string, now: number): boolean {
  return coordinators.find((coordinator) => isAlive(coordinator, now))?.id === id
}
