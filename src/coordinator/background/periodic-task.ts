import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { TaskRuns } from './task-runs.js'

/** A task that repeats while the coordinator runs. Each run reads its work from the database. */
export interface PeriodicTask {
  name: string
  /** Seconds from the end of one run to the start of the next. */
  every: number
  /** A long run ends early when `signal` aborts. */
  run: (signal: AbortSignal) => Promise<unknown>
}

/** Repeats the task until `signal` aborts and the current run has ended. A run that fails is logged; the next one tries again. */
export async function runPeriodicTask(
  task: PeriodicTask,
  signal: AbortSignal,
  logger: Logger,
  runs: TaskRuns,
): Promise<void> {
  runs.add(task)
  while (!signal.aborted) {
    runs.begin(task.name)
    try {
      await task.run(signal)
      runs.end(task.name, null)
    } catch (error) {
      // A run that ends because of the signal has not failed.
      const isStopped = error === signal.reason
      runs.end(task.name, isStopped ? null : messageOf(error))
      if (!isStopped)
        logger.error({ err: error, task: task.name }, 'A periodic task failed and will be retried')
    }
    await pause(withJitter(task.every * 1000), signal)
  }
}
