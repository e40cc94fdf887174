import { sql } from 'kysely'

import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'

/** Days that are told of. */
const DAYS = 30
const DAY = 24 * 3600 * 1000

/**
 * Counts how often repositories are fetched each day. A fetch only notes it; `write`, a periodic task, adds what was noted,
 * so that a fetch costs no write. A coordinator that is killed loses what it has not written yet: it is a statistic.
 */
export class FetchCounts {
  /** By day, then by project. */
  private waiting = new Map<string, Map<number, number>>()

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  note(projectId: number): void {
    const day = dayOf(this.now())
    const counts = this.waiting.get(day) ?? new Map<number, number>()
    counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
    this.waiting.set(day, counts)
  }

  /** Adds what was noted, and forgets the days that nobody is told of any more. What cannot be written is logged. */
  async write(): Promise<void> {
    const noted = this.waiting
    this.waiting = new Map()
    for (const [day, counts] of noted) {
      for (const [projectId, count] of counts) await this.add(projectId, day, count)
    }
    await this.database.deleteFrom('project_fetch').where('day', '<', firstDay(this.now())).execute()
  }

  /** A project that is gone by now has no row. */
  private async add(projectId: number, day: string, count: number): Promise<void> {
    try {
      await sql`
        insert into project_fetch (project_id, day, count)
        select id, cast(${day} as text), cast(${count} as integer) from project where id = ${projectId}
        on conflict (project_id, day) do update set count = project_fetch.count + excluded.count`.execute(
        this.database,
      )
    } catch (error) {
      this.logger.warn({ err: error, project: projectId }, 'Fetches of a repository could not be counted')
    }
  }
}

/** The last thirty days on which the repository was fetched, the latest first. */
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
