import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import {
  claimTask,
  findTasks,
  finishTask,
  onTaskRequested,
  renewTask,
  type TaskRow,
} from '../../stores/merge-request-task-store.js'
import { performTask, type TaskDeps } from './perform-task.js'

/** Delay before a failed task is tried again, in milliseconds. */
const TRY_AGAIN_AFTER = MINUTE

/**
 * Merges and rebases merge requests, deletes merged branches, and stops environments of merge requests that have ended,
 * in the background.
 */
export class MergeRequestTaskWorker extends ClaimedWorker<TaskRow> {
  constructor(deps: TaskDeps & { logger: Logger }) {
    const { logger } = deps
    const { database } = deps.pushes
    super({
      of: 'Tasks of merge requests',
      find: () => findTasks(database),
      claim: (row, until) => claimTask(database, row, until),
      renew: ({ id }, until) => renewTask(database, id, until),
      perform: async (row, signal) => {
        await performTask(deps, row, signal)
        if (!(await finishTask(database, row))) this.wake()
      },
      // It counts as claimed until then.
      abort: ({ id }) => renewTask(database, id, Date.now() + TRY_AGAIN_AFTER),
      logger,
    })
    onTaskRequested(database, () => this.wake())
  }
}
