import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import type { QueueWaitTable, RunnerWaitTable } from '../../../database/tables/queue-waits.js'
import type { RunnerType } from '../../../database/tables/runners.js'
import { inTransaction } from '../../../database/transaction.js'
import { storeTagSets, tagSetKey } from '../tag-sets.js'
import { addQueueWaits, addRunnerWaits } from './store.js'
import { bucketOf } from './wait-histogram.js'

/** Seconds of the finest periods. */
export const FINEST = 300

/** A job that a runner has received. */
export interface StartedJob {
  /** Milliseconds since 1970; null if it was not recorded. */
  queued_at: number | null
  tag_list: readonly string[]
  project_id: number
}

interface Counted<Row> {
  row: Row
  jobs: number
}

type QueueWait = Omit<QueueWaitTable, 'tag_set_id' | 'jobs'> & { tagSet: string }
type RunnerWait = Omit<RunnerWaitTable, 'jobs'>

/**
 * Counts how long jobs waited for their runners. Counts are collected in memory, and the periodic task `write` adds them
 * to the database, so a claim costs no write. A killed coordinator loses the counts that it has not written.
 */
export class WaitCounts {
  private ofQueue = new Map<string, Counted<QueueWait>>()
  private ofRunners = new Map<string, Counted<RunnerWait>>()

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  record(job: StartedJob, runner: { id: number; runner_type: RunnerType }): void {
    if (job.queued_at === null) return
    const now = this.now()
    const bucket = bucketOf(now - job.queued_at)
    const period = { resolution: FINEST, start_at: now - (now % (FINEST * 1000)), bucket }
    const { runner_type } = runner
    count(this.ofQueue, {
      ...period,
      project_id: job.project_id,
      runner_type,
      tagSet: tagSetKey(job.tag_list),
    })
    count(this.ofRunners, { ...period, runner_id: runner.id })
  }

  /** Adds the collected counts to the database. A failure is logged, and the next call tries again. */
  async write(): Promise<void> {
    const [queue, runners] = [this.ofQueue, this.ofRunners]
    this.ofQueue = new Map()
    this.ofRunners = new Map()
    if (queue.size === 0) return
    try {
      await inTransaction(this.database, async (tx) => {
        const waits = [...queue.values()]
        const sets = await storeTagSets(
          tx,
          waits.map(({ row }) => JSON.parse(row.tagSet) as string[]),
        )
        await addQueueWaits(
          tx,
          waits.map(({ row: { tagSet, ...row }, jobs }) => ({
            ...row,
            tag_set_id: sets.get(tagSet) as number, // stored just now
            jobs,
          })),
        )
        await addRunnerWaits(
          tx,
          [...runners.values()].map(({ row, jobs }) => ({ ...row, jobs })),
        )
      })
    } catch (error) {
      for (const { row, jobs } of queue.values()) count(this.ofQueue, row, jobs)
      for (const { row, jobs } of runners.values()) count(this.ofRunners, row, jobs)
      this.logger.warn({ err: error }, 'Failed to store how long jobs waited for runners')
    }
  }
}

function count<Row extends object>(counts: Map<string, Counted<Row>>, row: Row, jobs = 1): void {
  const key = Object.values(row).join(' ')
  const counted = counts.get(key) ?? { row, jobs: 0 }
  counted.jobs += jobs
  counts.set(key, counted)
}
