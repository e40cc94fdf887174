import type { Timestamp } from '../columns.js'
import type { RunnerType } from './runners.js'

/** A period of a histogram: five minutes, an hour or a day. There is one period for each time. */
interface Period {
  /** Length in seconds. */
  resolution: number
  start_at: Timestamp
}

/** Number of jobs that started after a wait in this bucket (`ci/queue/wait-statistics/wait-histogram.ts`). */
export interface QueueWaitTable extends Period {
  /** It may have been deleted. */
  project_id: number
  tag_set_id: number
  runner_type: RunnerType
  bucket: number
  jobs: number
}

/** As `QueueWaitTable`, by runner. */
export interface RunnerWaitTable extends Period {
  /** It may have been deleted. */
  runner_id: number
  bucket: number
  jobs: number
}

/**
 * Sums of samples of one hour. The row of runner 0 has all samples, with the number of online and busy runners and of
 * running jobs in each. The row of a runner has the samples in which it had a job.
 */
export interface RunnerUseTable {
  start_at: Timestamp
  runner_id: number
  samples: number
  online: number
  busy: number
  jobs: number
}
