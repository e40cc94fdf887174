import { executorStage } from '../metrics/executor-stage.js'
import type { RunningJob } from '../registrations/running-jobs.js'

/** Version of the format below, sent in the header `X-List-Version`. */
export const JOBS_LIST_VERSION = '2'

/** One line per job, in the format of `/debug/jobs/list` (runner protocol, 9.7). */
export function jobsList(jobs: readonly RunningJob[], now: Date): string {
  return jobs
    .map(({ url, id, state, stage, since }) => {
      const duration = ((now.getTime() - since.getTime()) / 1000).toFixed(3)
      return `url=${url ?? id} state=${state} stage=${stage} executor_stage=${executorStage(stage)} duration=${duration}s\n`
    })
    .join('')
}
