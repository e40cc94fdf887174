import { sql } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import type { QueueWaitTable, RunnerUseTable, RunnerWaitTable } from '../../../database/tables/queue-waits.js'
import type { Transaction } from '../../../database/transaction.js'

/** Keeps statements well below the maximum number of parameters of both databases. */
const ROWS_PER_INSERT = 1000

/** Adds the numbers of jobs to those of the same periods. */
export async function addQueueWaits(tx: Transaction, rows: readonly QueueWaitTable[]): Promise<void> {
  for (const values of chunks(rows, ROWS_PER_INSERT)) {
    await tx
      .insertInto('queue_wait')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['resolution', 'start_at', 'project_id', 'tag_set_id', 'runner_type', 'bucket'])
          .doUpdateSet({ jobs: sql`queue_wait.jobs + excluded.jobs` }),
      )
      .execute()
  }
}

export async function addRunnerWaits(tx: Transaction, rows: readonly RunnerWaitTable[]): Promise<void> {
  for (const values of chunks(rows, ROWS_PER_INSERT)) {
    await tx
      .insertInto('runner_wait')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['resolution', 'start_at', 'runner_id', 'bucket'])
          .doUpdateSet({ jobs: sql`runner_wait.jobs + excluded.jobs` }),
      )
      .execute()
  }
}

export async function addRunnerUse(tx: Transaction, rows: readonly RunnerUseTable[]): Promise<void> {
  for (const values of chunks(rows, ROWS_PER_INSERT)) {
    await tx
      .insertInto('runner_use')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['start_at', 'runner_id']).doUpdateSet({
          samples: sql`runner_use.samples + excluded.samples`,
          online: sql`runner_use.online + excluded.online`,
          busy: sql`runner_use.busy + excluded.busy`,
          jobs: sql`runner_use.jobs + excluded.jobs`,
        }),
      )
      .execute()
  }
}

interface Periods {
  resolution: number
  from: number
  to: number
}

/** Deletes periods and returns them, for their sums. Each row is returned to only one of several concurrent callers. */
export function takeQueueWaits(
  tx: Transaction,
  { resolution, from, to }: Periods,
): Promise<QueueWaitTable[]> {
  return tx
    .deleteFrom('queue_wait')
    .where('resolution', '=', resolution)
    .where('start_at', '>=', from)
    .where('start_at', '<', to)
    .returningAll()
    .execute()
}

export function takeRunnerWaits(
  tx: Transaction,
  { resolution, from, to }: Periods,
): Promise<RunnerWaitTable[]> {
  return tx
    .deleteFrom('runner_wait')
    .where('resolution', '=', resolution)
    .where('start_at', '>=', from)
    .where('start_at', '<', to)
    .returningAll()
    .execute()
}

/** Start of the oldest period of this length; undefined if there is none. */
export async function oldestPeriod(database: Database, resolution: number): Promise<number | undefined> {
  const starts = []
  for (const table of ['queue_wait', 'runner_wait'] as const) {
    const row = await database
      .selectFrom(table)
      .select('start_at')
      .where('resolution', '=', resolution)
      .orderBy('start_at')
      .limit(1)
      .executeTakeFirst()
    if (row) starts.push(row.start_at)
  }
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/** Deletes daily histograms and use from before these times. */
export async function deleteStatisticsBefore(
  database: Database,
  { days, use }: { days: { resolution: number; before: number }; use: number },
): Promise<void> {
  const { resolution, before } = days
  await database
    .deleteFrom('queue_wait')
    .where('resolution', '=', resolution)
    .where('start_at', '<', before)
    .execute()
  await database
    .deleteFrom('runner_wait')
    .where('resolution', '=', resolution)
    .where('start_at', '<', before)
    .execute()
  await database.deleteFrom('runner_use').where('start_at', '<', use).execute()
}

/** Number of running jobs by runner. */
export function countRunningJobsByRunner(database: Database): Promise<{ runner_id: number; jobs: number }[]> {
  return database
    .selectFrom('lease')
    .select(({ fn }) => ['runner_id', fn.countAll<number>().as('jobs')])
    .groupBy('runner_id')
    .execute()
}

export async function countOnlineRunners(database: Database, onlineSince: number): Promise<number> {
  const { runners } = await database
    .selectFrom('runner')
    .select(({ fn }) => fn.countAll<number>().as('runners'))
    .where('active', '=', true)
    .where('contacted_at', '>', onlineSince)
    .executeTakeFirstOrThrow()
  return runners
}
