import { sql } from 'kysely'

import type { Logger } from '../../../../lib/logger.js'
import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { Retired, RetiredKind } from './retired.js'

/** Number of days that are kept. */
const DAYS = 30
/** Stands for no project. */
const NO_PROJECT = 0

/** What was deleted on one day (UTC, such as 2026-01-31). */
export interface Removal {
  day: string
  /** Null for activity events. */
  projectId: number | null
  /** Null also if the project no longer exists. */
  path: string | null
  kind: RetiredKind
  number: number
  bytes: number
}

/**
 * Counts what the limits of retention delete, by day, project and kind. The counts are collected in memory, and the
 * periodic task `write` adds them to the database. A killed coordinator loses those that it has not written.
 */
export class Removals {
  private waiting = new Map<string, Retired & { day: string }>()

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  record({ kind, projectId = NO_PROJECT, number, bytes = 0 }: Retired): void {
    if (number === 0) return
    const day = dayOf(this.now())
    const key = `${day} ${projectId} ${kind}`
    const before = this.waiting.get(key)
    const sum = { number: number + (before?.number ?? 0), bytes: bytes + (before?.bytes ?? 0) }
    this.waiting.set(key, { day, kind, projectId, ...sum })
  }

  /** Adds the collected counts to the database. Failures are logged. */
  async flush(): Promise<void> {
    const recorded = this.waiting
    this.waiting = new Map()
    for (const removal of recorded.values()) await this.add(removal)
  }

  /** Adds the collected counts to the database, and deletes days that are no longer kept. */
  async write(): Promise<void> {
    await this.flush()
    await this.database.deleteFrom('retention_removal').where('day', '<', firstDay(this.now())).execute()
  }

  private async add(removal: Retired & { day: string }): Promise<void> {
    const { day, kind, projectId = NO_PROJECT, number, bytes = 0 } = removal
    try {
      await this.database
        .insertInto('retention_removal')
        .values({ day, kind, project_id: projectId, number, bytes })
        .onConflict((conflict) =>
          conflict.columns(['day', 'project_id', 'kind']).doUpdateSet({
            number: sql`retention_removal.number + excluded.number`,
            bytes: sql`retention_removal.bytes + excluded.bytes`,
          }),
        )
        .execute()
    } catch (error) {
      this.logger.warn({ err: error, removal }, 'Failed to record what was deleted')
    }
  }
}

/** What was deleted in the last 30 days, the latest day first. */
export async function listRemovals(database: Database, now = Date.now()): Promise<Removal[]> {
  const rows = await database
    .selectFrom('retention_removal as removal')
    .leftJoin('project', 'project.id', 'removal.project_id')
    .select(['removal.day', 'removal.project_id', 'removal.kind', 'removal.number', 'removal.bytes'])
    .select('project.full_path')
    .where('removal.day', '>=', firstDay(now))
    .orderBy('removal.day', 'desc')
    .orderBy('removal.project_id')
    .orderBy('removal.kind')
    .execute()
  return rows.map(({ day, project_id, full_path, kind, number, bytes }) => {
    const projectId = project_id === NO_PROJECT ? null : project_id
    return { day, projectId, path: full_path, kind, number, bytes }
  })
}

function firstDay(now: number): string {
  return dayOf(now - (DAYS - 1) * DAY)
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
