import PQueue from 'p-queue'

import { ScheduleTimer } from '../../../background/schedule-timer.js'
import type { EngineDeps } from '../engine-deps.js'
import { type BridgeTask, findBridgeTasks } from '../hierarchy/bridge-task-store.js'
import { performBridgeTask } from './perform-task.js'
import { abortDownstream } from './start-downstream.js'

/** Creating a pipeline may wait for the network; everything else is short. */
const CREATIONS_AT_ONCE = 8
const OTHERS_AT_ONCE = 4
/** Until a task that failed is tried again. Milliseconds. */
const PAUSE_AFTER_FAILURE = 30 * 1000
/** How long a pipeline is tried to be created whatever goes wrong. Milliseconds. */
const CREATION_TRIED_FOR = 3600 * 1000

/**
 * Does what pipelines leave for one another. The tasks stand in the store: what a coordinator leaves that dies, any other
 * finds within a minute. Tasks about one job or pipeline are done one after the other.
 *
 *     wake, or a minute is over ──▶ look: the oldest task of each subject that has none under way ──▶ done ──▶ wake
 */
export class BridgeWorker {
  private readonly creations = new PQueue({ concurrency: CREATIONS_AT_ONCE })
  private readonly others = new PQueue({ concurrency: OTHERS_AT_ONCE })
  private readonly underWay = new Set<string>()
  /** When subjects whose task failed are tried again, in milliseconds since 1970. */
  private readonly resting = new Map<string, number>()
  private readonly timer: ScheduleTimer

  constructor(private readonly deps: EngineDeps) {
    this.timer = new ScheduleTimer({
      of: 'Downstream pipelines',
      startDue: () => this.look(),
      logger: deps.logger,
    })
  }

  /** Something has been left to be done. */
  wake(): void {
    this.timer.note(0)
  }

  /** Ends when `signal` aborts and what is under way is done. */
  async run(signal: AbortSignal): Promise<void> {
    await this.timer.run(signal)
    this.creations.clear()
    this.others.clear()
    await Promise.all([this.creations.onIdle(), this.others.onIdle()])
  }

  /** Starts what there is to do; answers when something is to be tried again. */
  private async look(): Promise<number | undefined> {
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
      this.report(task, error, 'What a trigger job brings about could not be done; it will be tried again')
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
