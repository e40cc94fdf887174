import type { Logger } from '../../lib/logger.js'
import type { ScriptStep } from '../../protocol/script-step.js'
import type { UploadPlan } from '../artifacts/artifact-archive.js'
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
  /** Milliseconds after which the output of an unfinished step is sent. */
  liveAfter: number
}

/**
 * Runs a job as a series of steps. Each step completes once, even if the runner is killed at any moment:
 *
 *     once ─▶ done before? ─ yes ─▶ its outcome
 *               └ no ─▶ work ─▶ trace settled ─▶ outcome and size of the trace in the journal
 *                                                 (of a silent step: together with the next one)
 *
 * An interrupted step is repeated from its beginning, and its part of the log is replaced. Therefore the output of
 * a step is held until the step is done. Output between two steps is held until the second one is done. A step that
 * takes longer sends its output earlier, and logs a notice if it has to begin again.
 * Scripts are not repeated. A resumed job attaches to the running script and reads its output again.
 */
export class JobSteps {
  private endHold: () => void = () => {}
  private environment: JobEnvironment | undefined

  constructor(private readonly parts: JobStepsParts) {}

  /** From now on, the record of this environment is stored with each step. */
  runIn(environment: JobEnvironment): void {
    this.environment = environment
  }

  /** Runs the step `name` unless the journal already has its outcome. If `work` throws, the step counts as not done. */
  async once(name: string, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
    const { journal, trace } = this.parts
    const known = journal.outcomeOf(name)
    if (known) return known
    // A resumed script produces the same output each time it is read, so there is no need to hold it.
    if (journal.script === undefined) this.holdBack()
    try {
      const outcome = await work()
      await journal.complete(name, outcome, await trace.checkpoint(), this.environment?.record)
      return outcome
    } finally {
      this.showWritten()
    }
  }

  /**
   * Records that a part of a step is done, whatever happens to the rest of the step. Output after it is held again.
   */
  async completePart(name: string, outcome: JobOutcome): Promise<void> {
    const { journal, trace } = this.parts
    await journal.complete(name, outcome, await trace.checkpoint(), this.environment?.record)
    this.showWritten()
    this.holdBack()
  }

  isDone(name: string): boolean {
    return this.outcomeOf(name) !== undefined
  }

  outcomeOf(name: string): JobOutcome | undefined {
    return this.parts.journal.outcomeOf(name)
  }

  /** Whether an earlier process started the script of this stage. */
  isBegun(stage: string): boolean {
    return this.parts.journal.script === stage
  }

  /** Must be called before a script is started. */
  async beginScript(stage: string): Promise<void> {
    const { journal, trace } = this.parts
    await journal.beginScript(stage, await trace.checkpoint(), this.environment?.record)
    trace.release()
  }

  /**
   * Records how the lines of a script ended, together with the step that ran it. If that cannot be read, nothing is
   * recorded: it does not change the outcome of the job.
   */
  async recordScript(section: string, read: () => Promise<ScriptStep[]>): Promise<void> {
    const { journal, logger } = this.parts
    try {
      journal.recordScript(section, await read())
    } catch (error) {
      logger.warn({ err: error, section }, 'How the lines of a script ended cannot be read')
    }
  }

  /** Masks texts as the log. */
  mask(texts: readonly string[]): string[] {
    return this.parts.trace.mask(texts)
  }

  /** Copies an artifact into the journal, to be uploaded when the coordinator is available again. */
  async storeArtifactForLater(plan: UploadPlan, open: OpenContent, signal: AbortSignal): Promise<void> {
    const { journal } = this.parts
    const file = journal.artifactFile(journal.artifacts.length)
    await journal.recordArtifact(await storeArtifact(plan, open, file, signal))
  }

  private holdBack(): void {
    const { journal, trace, log, liveAfter } = this.parts
    if (journal.wasLive) log.warning('The runner was restarted. This stage begins again.')
    const timer = setTimeout(() => void this.startLiveOutput(), liveAfter)
    trace.hold()
    this.endHold = () => clearTimeout(timer)
  }

  /** Releases all output so far. Output from here on belongs to the next step. */
  private showWritten(): void {
    this.endHold()
    this.parts.trace.release()
    this.parts.trace.hold()
  }

  private async startLiveOutput(): Promise<void> {
    const { journal, trace, logger } = this.parts
    try {
      await journal.recordLiveOutput()
      trace.release()
    } catch (error) {
      logger.error({ err: error }, 'The journal of a job cannot be written; its log is sent stage by stage')
    }
  }
}
