import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { Check } from 'typebox/value'

import { SwitchyardError } from '../../../lib/errors.js'
import { readIfThere, replaceFile } from '../../../lib/files.js'
import type { JobVariable } from '../../../protocol/job-payload.js'
import type { StoredArtifact } from '../../artifacts/send-artifact.js'
import type { EnvironmentRecord } from '../../executor/executor.js'
import type { SettledTrace } from '../../trace/trace-buffer.js'
import type { JobOutcome } from '../outcome.js'
import { JobState, type JournaledJob, recallOutcome, recordOutcome } from './job-state.js'

/** A file of a journal is not what this version writes. */
class JournalError extends SwitchyardError {
  readonly name = 'JournalError'
  readonly code = 'JOURNAL_UNREADABLE'

  constructor(place: string, options?: ErrorOptions) {
    super(`${place} is not the journal of a job`, options)
  }
}

const JOB = 'job.json'
const STATE = 'state.json'
const TRACE = 'trace.log'

/** Keys of caches that could not be unpacked: what is kept under them is not to be believed. */
export interface DamagedCaches {
  has(key: string): boolean
  /** Resolves when it will not be forgotten. */
  add(key: string): unknown
}

/**
 * What a later process needs to know about one job to go on with it, in a folder of its own:
 *
 *     job.json     the job as it came, with its tokens; written once
 *     state.json   what is done, replaced as a whole before each step
 *     trace.log    the log, masked (`TraceBuffer`)
 *     artifact-N   what the coordinator was not there to take
 *
 * A runner can be killed between any two instructions. So a step counts as done only when the file says so, and what
 * the file does not mention is done again.
 */
export class JobJournal {
  /** Whether an earlier process was killed in the middle of the step that comes next, when some of it was seen already. */
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

  /** Undefined for a folder whose job never began. Throws `JournalError` for files that are no journal. */
  static async load(folder: string): Promise<JobJournal | undefined> {
    const state = await readJson(join(folder, STATE))
    if (state === undefined) return undefined
    const job = await readJson(join(folder, JOB))
    if (!Check(JobState, state)) throw new JournalError(folder)
    return new JobJournal(folder, job as JournaledJob, state, true)
  }

  /** The job as it came, with the variables that its secrets were turned into. */
  get job(): JournaledJob {
    const { payload } = this.cameAs
    const { secrets } = this.state
    if (!secrets) return this.cameAs
    return { ...this.cameAs, payload: { ...payload, variables: [...payload.variables, ...secrets] } }
  }

  get traceFile(): string {
    return join(this.folder, TRACE)
  }

  /** Where in the trace a later process starts from; without a size, behind all of it. */
  get trace(): Partial<SettledTrace> {
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

  /** Name of the stage whose script was started and not ended. */
  get script(): string | undefined {
    return this.state.script?.stage
  }

  get outcome(): JobOutcome | undefined {
    return this.state.outcome && recallOutcome(this.state.outcome)
  }

  get artifacts(): readonly StoredArtifact[] {
    return this.state.artifacts ?? []
  }

  /** Where the bytes of an artifact that is kept belong. */
  artifactFile(index: number): string {
    return join(this.folder, `artifact-${index}`)
  }

  outcomeOf(step: string): JobOutcome | undefined {
    const recorded = this.state.done[step]
    return recorded && recallOutcome(recorded)
  }

  /**
   * Notes that a step is done, and the trace as it is by now. A step that went well without a word had nothing to do: it
   * is written down together with what comes next, and may as well be done again.
   */
  async complete(
    step: string,
    outcome: JobOutcome,
    trace: SettledTrace,
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

  /** Notes that what the current step writes can be seen by others from now on. */
  async goLive(): Promise<void> {
    await this.save({ isLive: true })
  }

  /** Notes what the secrets of the job are: they are variables of it from now on. */
  async keepSecrets(secrets: JobVariable[]): Promise<void> {
    await this.save({ secrets })
  }

  /** Notes that the script of a stage is about to be started. */
  async beginScript(stage: string, trace: SettledTrace, environment: EnvironmentRecord): Promise<void> {
    const script = { stage, traceSize: trace.size }
    await this.save({ script, environment, isLive: false, ...leftOutOf(trace) })
  }

  /** Notes how the job ended: what is left is to tell the coordinator. */
  async finish(outcome: JobOutcome): Promise<void> {
    await this.save({ outcome: recordOutcome(outcome) })
  }

  async keepArtifact(stored: StoredArtifact): Promise<void> {
    await this.save({ artifacts: [...this.artifacts, stored] })
  }

  /** Notes that an artifact is delivered or refused, and what that makes of the job. */
  async dropArtifact(stored: StoredArtifact, outcome: JobOutcome): Promise<void> {
    const artifacts = this.artifacts.filter(({ file }) => file !== stored.file)
    await this.save({ artifacts, outcome: recordOutcome(outcome) })
    await rm(stored.file, { force: true })
  }

  async remove(): Promise<void> {
    // Without its state the folder is none of a job, should the removal be cut short.
    await rm(join(this.folder, STATE), { force: true })
    await rm(this.folder, { recursive: true, force: true })
  }

  /** One write at a time, each with the state as it is by then. */
  private async save(news: Partial<JobState>): Promise<void> {
    this.state = { ...this.state, ...news }
    const write = () => writePrivately(this.folder, STATE, this.state)
    const saved = this.saving.then(write)
    this.saving = saved.catch(() => {})
    await saved
  }
}

function leftOutOf({ leftOut }: SettledTrace): Pick<JobState, 'leftOut'> {
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
