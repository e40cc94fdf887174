import PQueue from 'p-queue'

import { HOUR } from '../../../../lib/time-units.js'
import { ScheduleTimer } from '../../../background/schedule-timer.js'
import type { EngineDeps } from '../engine-deps.js'
import { type BridgeTask, findBridgeTasks } from '../hierarchy/bridge-task-store.js'
import { performBridgeTask } from './perform-task.js'
import { abortDownstream } from './start-downstream.js'

/** Creating a pipeline may wait for the network; all other tasks are short. */
const CREATIONS_AT_ONCE = 8
const OTHERS_AT_ONCE = 4
/** Delay before a failed task is retried. Milliseconds. */
const PAUSE_AFTER_FAILURE = 30 * 1000
/** How long the creation of a failing pipeline is retried. Milliseconds. */
const CREATION_TRIED_FOR = HOUR

/**
 * Performs the tasks that pipelines leave for one another. The tasks are stored, so another coordinator
 * continues within a minute after one crashes. Tasks for the same job or pipeline run one after the other.
 *
 *     wake, or every minute ──▶ find the oldest task of each idle subject ──▶ perform ──▶ wake
 */
export class BridgeWorker {
  private readonly creations = new PQueue({ concurrency: CREATIONS_AT_ONCE })
  private readonly others = new PQueue({ concurrency: OTHERS_AT_ONCE })
  private readonly underWay = new Set<string>()
  /** When subjects with a failed task are retried, in milliseconds since 1970. */
  private readonly resting = new Map<string, number>()
  private readonly timer: ScheduleTimer

  constructor(private readonly deps: EngineDeps) {
    this.timer = new ScheduleTimer({
      of: 'Downstream pipelines',
      startDue: () => this.poll(),
      logger: deps.logger,
    })
  }

  /** Called when a task was added. */
  wake(): void {
    this.timer.schedule(0)
  }

  /** Ends after `signal` aborts and the running tasks are done. */
  async run(signal: AbortSignal): Promise<void> {
    await this.timer.run(signal)
    this.creations.clear()
    this.others.clear()
    await Promise.all([this.creations.onIdle(), this.others.onIdle()])
  }

  /** Starts all available tasks; returns the time of the next retry. */
  private async poll(): Promise<number | undefined> {
    const now = Date.now()
    for (const [subject, due] of this.resting) if (due <= now) this.resting.delete(subject)
    for (const task of await findBridgeTasks(this.deps.database)) {
      const subject = subjectOf(task)
      if (this.underWay.has(subject) || this.resting.has(subject)) continue
      this.underWay.add(subject)
      const queue = task.kind === 'create' ? this.creations : this.others
      void queue.add(() => this.perform(task, subject))
    }
    return this.resting.size === 0 ? undefined : Math.min(...this.resting.values())
  }

  /** Never rejects. */
  private async perform(task: BridgeTask, subject: string): Promise<void> {
    try {
      await this.performOrAbort(task)
    } catch (error) {
      this.resting.set(subject, Date.now() + PAUSE_AFTER_FAILURE)
      this.report(task, error, 'Failed to perform a task of a trigger job; it will be retried')
    } finally {
      this.underWay.delete(subject)
      this.wake()
    }
  }

  private async performOrAbort(task: BridgeTask): Promise<void> {
    try {
      await performBridgeTask(this.deps, task)
    } catch (error) {
      if (task.kind !== 'create' || task.created_at > Date.now() - CREATION_TRIED_FOR) throw error
      this.report(task, error, 'A trigger job does not get its pipeline and fails')
      await abortDownstream(this.deps, task)
    }
  }

  private report({ kind, subject_id }: BridgeTask, error: unknown, message: string): void {
    this.deps.logger.error({ err: error, task: kind, subject: subject_id }, message)
  }
}

function subjectOf({ kind, subject_id }: BridgeTask): string {
  return `${kind === 'cancel' ? 'pipeline' : 'job'} ${subject_id}`
}
