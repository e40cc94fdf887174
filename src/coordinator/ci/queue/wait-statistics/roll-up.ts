import { SECOND, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { QueueWaitTable, RunnerWaitTable } from '../../../database/tables/queue-waits.js'
import { inTransaction } from '../../../database/transaction.js'
import {
  addQueueWaits,
  addRunnerWaits,
  deleteStatisticsBefore,
  oldestPeriod,
  takeQueueWaits,
  takeRunnerWaits,
} from './store.js'
import { FINEST } from './wait-counts.js'

/** Lengths of periods and how long they are kept, in seconds. The last ones are deleted, the others added up. */
export const LEVELS = [
  { resolution: FINEST, kept: 2 * SECONDS_PER_DAY },
  { resolution: SECONDS_PER_HOUR, kept: 90 * SECONDS_PER_DAY },
  { resolution: SECONDS_PER_DAY, kept: 2 * 365 * SECONDS_PER_DAY },
] as const

/** How long the use of runners is kept, in seconds. */
const USE_KEPT = 90 * SECONDS_PER_DAY

/**
 * Periodic task: adds up periods of five minutes after two days to hours, hours after 90 days to days, and deletes
 * statistics after their time. Several coordinators may run it at once.
 */
export async function rollUpWaits(database: Database, signal: AbortSignal, now = Date.now()): Promise<void> {
  const [fine, hours, days] = LEVELS
  for (const [level, next] of [
    [fine, hours],
    [hours, days],
  ] as const) {
    await rollUp(database, level, next.resolution, now, signal)
  }
  const before = now - days.kept * SECOND
  await deleteStatisticsBefore(database, {
    days: { resolution: days.resolution, before },
    use: now - USE_KEPT * SECOND,
  })
}

/** One period of the longer kind at a time, in its own transaction. */
async function rollUp(
  database: Database,
  { resolution, kept }: (typeof LEVELS)[number],
  longer: number,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const length = longer * SECOND
  const end = startOf(now - kept * SECOND, length)
  for (;;) {
    const oldest = await oldestPeriod(database, resolution)
    if (oldest === undefined || oldest >= end || signal.aborted) return
    const from = startOf(oldest, length)
    const periods = { resolution, from, to: from + length }
    await inTransaction(database, async (tx) => {
      const period = { resolution: longer, start_at: from }
      await addQueueWaits(tx, summed(await takeQueueWaits(tx, periods), period))
      await addRunnerWaits(tx, summed(await takeRunnerWaits(tx, periods), period))
    })
  }
}

/** One row for each that differs in more than its period and its number of jobs. */
function summed<Row extends QueueWaitTable | RunnerWaitTable>(
  rows: readonly Row[],
  period: { resolution: number; start_at: number },
): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const moved = { ...row, ...period }
    const key = JSON.stringify({ ...moved, jobs: 0 })
    const sum = sums.get(key)
    if (sum) sum.jobs += row.jobs
    else sums.set(key, moved)
  }
  return [...sums.values()]
}

function startOf(time: number, length: number): number {
  return time - (time % length)
}
