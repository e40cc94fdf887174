import type { Logger } from '../../lib/logger.js'
import type { UploadPlan } from '../artifacts/artifact-plan.js'
import { storeArtifact } from '../artifacts/send-artifact.js'
import type { OpenContent } from '../artifacts/upload-attempt.js'
import type { JobEnvironment } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import type { TraceBuffer } from '../trace/trace-buffer.js'
import type { JobJournal } from './journal/job-journal.js'
import type { JobOutcome } from './outcome.js'

export interface JobStepsParts {
  journal: JobJournal
  trace: TraceBuffer
  log: JobLog
  logger: Logger
  /** Milliseconds after which others may see what a step that is not done has written. */
  liveAfter: number
}

/**
 * A job as a row of steps, each of which is done once although the runner may be killed at any moment:
 *
 *     once ─▶ done before? ─ yes ─▶ its outcome
 *               └ no ─▶ work ─▶ trace settled ─▶ outcome and size of the trace in the journal
 *                                                 (of a step without a word: together with the next)
 *
 * A step that was cut off is done again from its beginning, and its part of the trace with it. So what a step writes is
 * held back until it is done, and what is written between steps until the next is; a step that takes longer is shown as it goes, and says so should it have to begin again.
 * Scripts do not begin again: they are taken up where they are, and their output is read once more.
 */
export class JobSteps {
  private endHold: () => void = () => {}

  constructor(private readonly parts: JobStepsParts) {}

  /** `environment` is asked when the work is done. An error is no outcome: the step is not done then. */
  async once(
    name: string,
    work: () => Promise<JobOutcome>,
    environment?: () => JobEnvironment | undefined,
  ): Promise<JobOutcome> {
    const { journal, trace } = this.parts
    const known = journal.outcomeOf(name)
    if (known) return known
    // The output of a script that runs already is the same each time it is read: it need not be held back.
    if (journal.script === undefined) this.holdBack()
    try {
      const outcome = await work()
      await journal.complete(name, outcome, await trace.settle(), environment?.()?.record)
      return outcome
    } finally {
      this.showWritten()
    }
  }

  /** Notes within a step that a part of it is done, however the step goes on; what follows is held back anew. */
  async completePart(name: string, outcome: JobOutcome, environment: JobEnvironment): Promise<void> {
    const { journal, trace } = this.parts
    await journal.complete(name, outcome, await trace.settle(), environment.record)
    this.showWritten()
    this.holdBack()
  }

  isDone(name: string): boolean {
    return this.outcomeOf(name) !== undefined
  }

  outcomeOf(name: string): JobOutcome | undefined {
    return this.parts.journal.outcomeOf(name)
  }

  /** Whether the script of this stage was started by an earlier process. */
  isBegun(stage: string): boolean {
    return this.parts.journal.script === stage
  }

  /** To be called when a script is about to be started. */
  async beginScript(stage: string, environment: JobEnvironment): Promise<void> {
    const { journal, trace } = this.parts
    await journal.beginScript(stage, await trace.settle(), environment.record)
    trace.letGo()
  }

  /** Keeps the bytes of an upload with the job until its coordinator is back. */
  async keepArtifact(plan: UploadPlan, open: OpenContent, signal: AbortSignal): Promise<void> {
    const { journal } = this.parts
    const file = journal.artifactFile(journal.artifacts.length)
    await journal.keepArtifact(await storeArtifact(plan, open, file, signal))
  }

  private holdBack(): void {
    const { journal, trace, log, liveAfter } = this.parts
    if (journal.wasLive) log.warning('The runner was restarted. This stage begins again.')
    const timer = setTimeout(() => void this.goLive(), liveAfter)
    trace.hold()
    this.endHold = () => clearTimeout(timer)
  }

  /** All that is written so far is done, and what comes belongs to the next step. */
  private showWritten(): void {
    this.endHold()
    this.parts.trace.letGo()
    this.parts.trace.hold()
  }

  private async goLive(): Promise<void> {
    const { journal, trace, logger } = this.parts
    try {
      await journal.goLive()
      trace.letGo()
    } catch (error) {
      logger.error({ err: error }, 'The journal of a job cannot be written; its log is shown stage by stage')
    }
  }
}
