import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { Check } from 'typebox/value'

import { SwitchyardError } from '../../../lib/errors.js'
import { readIfThere, replaceFile } from '../../../lib/files.js'
import type { JobVariable } from '../../../protocol/job-payload.js'
import type { ScriptStep } from '../../../protocol/script-step.js'
import type { StoredArtifact } from '../../artifacts/send-artifact.js'
import type { EnvironmentRecord } from '../../executor/executor.js'
import type { TraceCheckpoint } from '../../trace/trace-buffer.js'
import type { JobOutcome } from '../outcome.js'
import { JobState, type JournaledJob, recallOutcome, type RecordedHold, recordOutcome } from './job-state.js'

/** A file of a journal does not have the format that this version writes. */
class JournalError extends SwitchyardError {
  readonly name = 'JournalError'
  readonly code = 'JOURNAL_UNREADABLE'

  constructor(file: string, options?: ErrorOptions) {
    super(`${file} is not the journal of a job`, options)
  }
}

const JOB = 'job.json'
const STATE = 'state.json'
const TRACE = 'trace.log'

/** Keys of caches that could not be unpacked. The archives stored under these keys must not be trusted. */
export interface DamagedCaches {
  has(key: string): boolean
  /** Resolves when the key is stored permanently. */
  add(key: string): unknown
}

/**
 * The state of one job that a later process needs to resume it, in a folder of its own:
 *
 *     job.json     the job as received, with its tokens; written once
 *     state.json   the completed steps; replaced as a whole before each step
 *     trace.log    the masked log (`TraceBuffer`)
 *     artifact-N   an artifact that the coordinator was not available to accept
 *
 * A runner can be killed between any two instructions. So a step counts as done only if the file records it. All
 * other steps are repeated.
 */
export class JobJournal {
  /** Whether an earlier process was killed during the next step, after part of its output was sent. */
  wasLive: boolean
  private saving: Promise<void> = Promise.resolve()

  private constructor(
    private readonly folder: string,
    private readonly cameAs: JournaledJob,
    private state: JobState,
    /** Whether an earlier process began the job. */
    readonly isResumed: boolean,
  ) {
    this.wasLive = state.isLive
  }

  static async begin(folder: string, job: JournaledJob): Promise<JobJournal> {
    await mkdir(folder, { mode: 0o700 })
    await writePrivately(folder, JOB, job)
    const journal = new JobJournal(folder, job, { traceSize: 0, isLive: false, done: {} }, false)
    await journal.save({})
    return journal
  }

  /** Returns undefined for a folder whose job never began. Throws `JournalError` if the files are not a journal. */
  static async load(folder: string): Promise<JobJournal | undefined> {
    const state = await readJson(join(folder, STATE))
    if (state === undefined) return undefined
    const job = await readJson(join(folder, JOB))
    if (!Check(JobState, state)) throw new JournalError(folder)
    return new JobJournal(folder, job as JournaledJob, state, true)
  }

  /** The job as received, with its resolved secrets as variables. */
  get job(): JournaledJob {
    const { payload } = this.cameAs
    const { secrets } = this.state
    if (!secrets) return this.cameAs
    return { ...this.cameAs, payload: { ...payload, variables: [...payload.variables, ...secrets] } }
  }

  get traceFile(): string {
    return join(this.folder, TRACE)
  }

  /** The position in the log from which a later process continues. Without a size, it continues at the end. */
  get trace(): Partial<TraceCheckpoint> {
    const { outcome, script, isLive, traceSize, leftOut } = this.state
    if (outcome !== undefined) return {}
    if (script) return { size: script.traceSize, leftOut }
    return isLive ? { leftOut } : { size: traceSize, leftOut }
  }

  get environment(): EnvironmentRecord | undefined {
    return this.state.environment
  }

  readonly damagedCaches: DamagedCaches = {
    has: (key) => this.state.damagedCaches?.includes(key) ?? false,
    add: (key) => this.save({ damagedCaches: [...(this.state.damagedCaches ?? []), key] }),
  }

  /** Name of the stage whose script has started and not ended. */
  get script(): string | undefined {
    return this.state.script?.stage
  }

  /** How the lines of the scripts ended. */
  get scriptSteps(): readonly ScriptStep[] {
    return this.state.scriptSteps ?? []
  }

  get outcome(): JobOutcome | undefined {
    return this.state.outcome && recallOutcome(this.state.outcome)
  }

  /** Whether the coordinator has the outcome. */
  get isDelivered(): boolean {
    return this.state.isDelivered ?? false
  }

  /** Undefined if the environment of the job is not held after its end. */
  get hold(): RecordedHold | undefined {
    return this.state.hold
  }

  get artifacts(): readonly StoredArtifact[] {
    return this.state.artifacts ?? []
  }

  /** Path for the bytes of an artifact that the journal keeps. */
  artifactFile(index: number): string {
    return join(this.folder, `artifact-${index}`)
  }

  outcomeOf(step: string): JobOutcome | undefined {
    const recorded = this.state.done[step]
    return recorded && recallOutcome(recorded)
  }

  /**
   * Records that a step is done, and the current state of the log. A successful step without output had nothing to
   * do. It is recorded together with the next step, because repeating it is harmless.
   */
  async complete(
    step: string,
    outcome: JobOutcome,
    trace: TraceCheckpoint,
    environment = this.state.environment,
  ): Promise<void> {
    const { script, ...rest } = this.state
    const isSilent = !script && !rest.isLive && trace.size === rest.traceSize && !trace.leftOut
    const hasNews = outcome.kind !== 'success' || environment !== rest.environment
    this.state = { ...rest, done: { ...rest.done, [step]: recordOutcome(outcome) } }
    this.wasLive = false
    if (isSilent && !hasNews) return
    await this.save({
      traceSize: trace.size,
      isLive: false,
      ...leftOutOf(trace),
      ...(environment ? { environment } : {}),
    })
  }

  /** Records that the output of the current step is sent before the step is done. */
  async recordLiveOutput(): Promise<void> {
    await this.save({ isLive: true })
  }

  /** Records the resolved secrets of the job. They are variables of the job from now on. */
  async recordSecrets(secrets: JobVariable[]): Promise<void> {
    await this.save({ secrets })
  }

  /** Records that the script of a stage is about to start. */
  async beginScript(
    stage: string,
    trace: TraceCheckpoint,
    environment = this.state.environment,
  ): Promise<void> {
    const script = { stage, traceSize: trace.size }
    await this.save({
      script,
      isLive: false,
      ...leftOutOf(trace),
      ...(environment ? { environment } : {}),
    })
  }

  /** Records how the lines of a script ended. Stored together with the step that ran it. */
  recordScript(section: string, steps: readonly ScriptStep[]): void {
    const others = this.scriptSteps.filter((step) => step.section !== section)
    this.state = { ...this.state, scriptSteps: [...others, ...steps] }
  }

  /** Records how the job ended. Only the delivery to the coordinator remains. */
  async finish(outcome: JobOutcome): Promise<void> {
    await this.save({ outcome: recordOutcome(outcome) })
  }

  async recordArtifact(stored: StoredArtifact): Promise<void> {
    await this.save({ artifacts: [...this.artifacts, stored] })
  }

  /** Records that an artifact was delivered or refused, and the resulting outcome of the job. */
  async deleteArtifact(stored: StoredArtifact, outcome: JobOutcome): Promise<void> {
    const artifacts = this.artifacts.filter(({ file }) => file !== stored.file)
    await this.save({ artifacts, outcome: recordOutcome(outcome) })
    await rm(stored.file, { force: true })
  }

  /** Records that the environment of the job is held, or for how long. `environment`: its record now. */
  async recordHold(hold: RecordedHold, environment = this.state.environment): Promise<void> {
    await this.save({ hold, ...(environment ? { environment } : {}) })
  }

  /** Records that the hold has ended and nothing of the job is left. Removes the journal if nothing else needs it. */
  async endHold(): Promise<void> {
    if (this.isDelivered) {
      await this.remove()
      return
    }
    const { hold: _, ...rest } = this.state
    this.state = rest
    await this.save({})
  }

  /** Records that the coordinator has the outcome. Removes the journal if nothing else needs it. */
  async markDelivered(): Promise<void> {
    if (this.hold) await this.save({ isDelivered: true })
    else await this.remove()
  }

  async remove(): Promise<void> {
    await this.saving
    // The state is removed first: a folder without it is not a job, should the removal be interrupted.
    await rm(join(this.folder, STATE), { force: true })
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Writes one state at a time. Each write contains the latest state. */
  private async save(news: Partial<JobState>): Promise<void> {
    this.state = { ...this.state, ...news }
    const write = () => writePrivately(this.folder, STATE, this.state)
    const saved = this.saving.then(write)
    this.saving = saved.catch(() => {})
    await saved
  }
}

function leftOutOf({ leftOut }: TraceCheckpoint): Pick<JobState, 'leftOut'> {
  return leftOut ? { leftOut } : {}
}

async function writePrivately(folder: string, name: string, content: unknown): Promise<void> {
  await replaceFile(join(folder, name), JSON.stringify(content))
}

async function readJson(file: string): Promise<unknown> {
  try {
    const text = await readIfThere(file)
    return text === undefined ? undefined : JSON.parse(text)
  } catch (error) {
    throw new JournalError(file, { cause: error })
  }
}
