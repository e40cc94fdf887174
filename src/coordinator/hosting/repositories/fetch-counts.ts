import { sql } from 'kysely'

import type { Logger } from '../../../lib/logger.js'
import { DAY } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'

/** Number of days that are kept. */
const DAYS = 30

/**
 * Counts the fetches of repositories per day. Counts are collected in memory, and the periodic task `write`
 * adds them to the database, so a fetch costs no write. A killed coordinator loses the counts that it has not
 * written, which is acceptable for statistics.
 */
export class FetchCounts {
  /** Counts by day, then by project ID. */
  private waiting = new Map<string, Map<number, number>>()

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  record(projectId: number): void {
    const day = dayOf(this.now())
    const counts = this.waiting.get(day) ?? new Map<number, number>()
    counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
    this.waiting.set(day, counts)
  }

  /**
   * Adds the collected counts to the database, and deletes days that are no longer kept. Failures are logged.
   */
  async write(): Promise<void> {
    const recorded = this.waiting
    this.waiting = new Map()
    for (const [day, counts] of recorded) {
      for (const [projectId, count] of counts) await this.add(projectId, day, count)
    }
    await this.database.deleteFrom('project_fetch').where('day', '<', firstDay(this.now())).execute()
  }

  /** A project deleted in the meantime gets no row. */
  private async add(projectId: number, day: string, count: number): Promise<void> {
    try {
      await sql`
        insert into project_fetch (project_id, day, count)
        select id, cast(${day} as text), cast(${count} as integer) from project where id = ${projectId}
        on conflict (project_id, day) do update set count = project_fetch.count + excluded.count`.execute(
        this.database,
      )
    } catch (error) {
      this.logger.warn({ err: error, project: projectId }, 'Failed to store the fetch count of a repository')
    }
  }
}

/** The last thirty days with fetches, latest first. */
export function fetchesOf(
  database: Database,
  projectId: number,
  now: number,
): Promise<{ day: string; count: number }[]> {
  return database
    .selectFrom('project_fetch')
    .select(['day', 'count'])
    .where('project_id', '=', projectId)
    .where('day', '>=', firstDay(now))
    .orderBy('day', 'desc')
    .execute()
}

function firstDay(now: number): string {
  return dayOf(now - (DAYS - 1) * DAY)
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
