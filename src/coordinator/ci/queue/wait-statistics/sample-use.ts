import { HOUR } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { raiseSetting } from '../../../database/stores/instance-setting-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { onlineSince } from '../online.js'
import { addRunnerUse, countOnlineRunners, countRunningJobsByRunner } from './store.js'

/** Name in `instance_setting`: the number of the last interval in which a coordinator took a sample. */
const SAMPLED = 'runner_use_sampled'
/** In milliseconds. */
const INTERVAL = 30_000

/** The row with the sums of all runners. */
export const ALL_RUNNERS = 0

/**
 * Periodic task: counts the runners that have a job now. One coordinator takes the sample of an interval of
 * 30 seconds, however many there are.
 */
export async function sampleRunnerUse(database: Database, now = Date.now()): Promise<void> {
  if (!(await raiseSetting(database, SAMPLED, Math.floor(now / INTERVAL)))) return
  const running = await countRunningJobsByRunner(database)
  const online = await countOnlineRunners(database, onlineSince(now))
  const start_at = now - (now % HOUR)
  const all = running.reduce((sum, { jobs }) => sum + jobs, 0)
  await inTransaction(database, (tx) =>
    addRunnerUse(tx, [
      { start_at, runner_id: ALL_RUNNERS, samples: 1, online, busy: running.length, jobs: all },
      ...running.map(({ runner_id, jobs }) => ({
        start_at,
        runner_id,
        samples: 1,
        online: 1,
        busy: 1,
        jobs,
      })),
    ]),
  )
}
