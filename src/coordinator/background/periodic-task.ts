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

/**
 * Repeats the task until `signal` aborts and the current run has ended. A run that fails is logged, and the next one tries
 * again. Only the first of consecutive failures with the same reason is logged, because some tasks run several times a
 * second.
 */
export async function runPeriodicTask(
  task: PeriodicTask,
  signal: AbortSignal,
  logger: Logger,
  runs: TaskRuns,
): Promise<void> {
  const fields = { task: task.name }
  let logged: string | undefined
  runs.add(task)
  while (!signal.aborted) {
    runs.begin(task.name)
    try {
      await task.run(signal)
      runs.end(task.name, null)
      if (logged !== undefined) logger.info(fields, 'The periodic task succeeds again')
      logged = undefined
    } catch (error) {
      // A run that ends because of the signal has not failed.
      const problem = error === signal.reason ? null : messageOf(error)
      runs.end(task.name, problem)
      if (problem !== null && problem !== logged) {
        logger.error({ err: error, ...fields }, 'A periodic task failed and will be retried')
        logged = problem
      }
    }
    await pause(withJitter(task.every * 1000), signal)
  }
}
