import { isDeepStrictEqual } from 'node:util'

import { messageOf } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { pause } from '../lib/pause.js'
import type { CoordinatorClient } from './client.js'
import type { RunnerEntry, RunnerSettings } from './config/settings.js'
import { createEntryClient, labelsOf } from './entry-client.js'
import { entryState, type EntryView } from './entry-view.js'
import type { Executor } from './executor/executor.js'
import { JOB_TIMINGS, type JobTimings } from './job/job-context.js'
import { failureReasonOf } from './job/outcome.js'
import type { RunnerSignals } from './job/run-job.js'
import type { ReceivedJob } from './job-answer.js'
import { JobNumbers } from './job-numbers.js'
import type { JobSlots } from './job-slots.js'
import type { Recorder } from './metrics/recorder.js'
import { Poller } from './poller.js'
import { refuseJob } from './refuse-job.js'
import type { RunningJobs } from './running-jobs.js'
import { shortToken } from './short-token.js'
import type { WorkspaceProvider } from './workspace/workspace.js'
import { workspaceFolder } from './workspace-folder.js'

/** Makes the parts that differ between kinds of runners. */
export interface RunnerParts {
  executor(entry: RunnerEntry, settings: RunnerSettings, logger: Logger): Executor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  timings?: JobTimings
}

export interface RegisteredRunnerOptions {
  parts: RunnerParts
  slots: JobSlots
  jobs: RunningJobs
  recorder: Recorder
  temporaryDir: string
  signals: RunnerSignals
  logger: Logger
}

const PING_MILLISECONDS = 5000

/** What a job keeps from its beginning to its end, whatever the settings say meanwhile. */
interface Equipment {
  entry: RunnerEntry
  settings: RunnerSettings
  client: CoordinatorClient
  executor: Executor
  workspaces: WorkspaceProvider
  logger: Logger
}

/** Which of the reasons not to ask for jobs hold. */
export interface EntryStanding {
  isWanted: boolean
  isPaused: boolean
  isDraining: boolean
}

/**
 * One `[[runners]]` entry at work: its client, its executor and its poller. Polling may be stopped and begun again;
 * the jobs and their numbers live on with this object, so an entry has one for as long as one of its jobs runs.
 */
export class RegisteredRunner {
  private equipment: Equipment
  private readonly poller: Poller
  private readonly numbers = new JobNumbers()
  private readonly retired: CoordinatorClient[] = []
  private polling: AbortController | undefined
  private loops: Promise<void> = Promise.resolve()
  private hasTidied = false
  private running = 0
  private onIdle: (() => void)[] = []
  private pendingPing: Promise<string | undefined> | undefined

  constructor(
    private readonly options: RegisteredRunnerOptions,
    entry: RunnerEntry,
    settings: RunnerSettings,
  ) {
    this.equipment = this.equip(entry, settings)
    this.poller = new Poller(
      {
        client: { requestJob: (request) => this.equipment.client.requestJob(request) },
        slots: options.slots,
        dispatch: (job) => this.handle(job),
        onRest: () => options.recorder.restBegan(labelsOf(this.equipment.entry, settings.systemId)),
        logger: () => this.equipment.logger,
      },
      pollerSettings(entry, settings),
    )
  }

  get name(): string {
    return this.equipment.entry.name
  }

  /**
   * Jobs from now on get these settings; those that run keep theirs, and a request that is open stays open. An entry
   * that is the same as before keeps its connections.
   */
  apply(entry: RunnerEntry, settings: RunnerSettings): void {
    const isSame = isDeepStrictEqual(entry, this.equipment.entry)
    if (isSame) {
      this.equipment = { ...this.equipment, entry, settings, logger: this.loggerFor(entry) }
    } else {
      this.retired.push(this.equipment.client)
      this.equipment = this.equip(entry, settings)
    }
    this.poller.apply(pollerSettings(entry, settings))
  }

  /** Asks for jobs, if it does not yet. */
  startPolling(): void {
    if (this.polling) return
    const polling = new AbortController()
    this.polling = polling
    this.poller.forgive()
    // A run that was stopped may still wait for its request to be given up.
    this.loops = Promise.all([this.loops, this.poll(polling.signal)]).then(() => {})
  }

  /** Gives up the open requests; resolves when none is open, while jobs may still run. */
  async stopPolling(): Promise<void> {
    this.polling?.abort()
    this.polling = undefined
    await this.loops
  }

  /** Resolves when no job of this entry runs. */
  async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve))
  }

  /** Waits for the calls on their way. */
  async close(): Promise<void> {
    await Promise.all(this.clients().map((client) => client.close()))
  }

  /** Ends the calls on their way. */
  async destroy(): Promise<void> {
    await Promise.all(this.clients().map((client) => client.destroy()))
  }

  /** What is wrong with the place where jobs run; undefined when it answers. */
  async engineProblem(): Promise<string | undefined> {
    // One question at a time, however many people wait for the answer.
    this.pendingPing ??= this.equipment.executor
      .ping()
      .then(() => undefined, messageOf)
      .finally(() => (this.pendingPing = undefined))
    const isOver = new AbortController()
    const tooLate = pause(PING_MILLISECONDS, isOver.signal).then(() => 'The engine does not answer in time')
    try {
      return await Promise.race([this.pendingPing, tooLate])
    } finally {
      isOver.abort()
    }
  }

  view(standing: EntryStanding): EntryView {
    const { entry } = this.equipment
    const { rest, openRequests, allowedRequests, longestRequest } = this.poller
    return {
      name: entry.name,
      url: entry.url,
      token: shortToken(entry.token),
      state: entryState({ ...standing, rest, running: this.running, limit: entry.limit }),
      running: this.running,
      limit: entry.limit,
      openRequests,
      requestConcurrency: entry.requestConcurrency,
      allowedRequests,
      restSeconds: Math.ceil(rest / 1000),
      longestRequestSeconds: longestRequest / 1000,
    }
  }

  private equip(entry: RunnerEntry, settings: RunnerSettings): Equipment {
    const { parts, recorder } = this.options
    const logger = this.loggerFor(entry)
    return {
      entry,
      settings,
      client: createEntryClient({ entry, settings, recorder, onTrouble: () => this.poller.noteTrouble() }),
      executor: parts.executor(entry, settings, logger),
      workspaces: parts.workspaces(workspaceFolder(settings.dataDir, entry), logger),
      logger,
    }
  }

  /** A child keeps the level that its parent had when it was made. */
  private loggerFor(entry: RunnerEntry): Logger {
    return this.options.logger.child({ runner: entry.name })
  }

  private clients(): CoordinatorClient[] {
    return [this.equipment.client, ...this.retired]
  }

  private async poll(signal: AbortSignal): Promise<void> {
    await this.tidyOnce()
    await this.poller.run(signal)
  }

  /** Before the first job only: later, what is there is in use. */
  private async tidyOnce(): Promise<void> {
    if (this.hasTidied) return
    this.hasTidied = true
    const { executor, logger } = this.equipment
    try {
      await executor.removeLeftovers()
    } catch (error) {
      logger.warn({ err: error }, 'What an earlier runner left behind could not be removed')
    }
  }

  private async handle(received: ReceivedJob): Promise<void> {
    const equipment = this.equipment
    this.running++
    try {
      await this.take(received, equipment)
    } finally {
      this.running--
      if (this.running === 0) this.onIdle.splice(0).forEach((resolve) => resolve())
    }
  }

  private async take(received: ReceivedJob, equipment: Equipment): Promise<void> {
    if (received.kind === 'unreadable') {
      await refuseJob(equipment, received, `this runner cannot read the job: ${received.problem}`)
      return
    }
    try {
      await this.runJob(received, equipment)
    } catch (error) {
      await refuseJob(equipment, received.payload, messageOf(error))
    }
  }

  private async runJob(
    { payload }: ReceivedJob & { kind: 'job' },
    { entry, settings, client, executor, workspaces, logger: entryLogger }: Equipment,
  ): Promise<void> {
    const { temporaryDir, signals, parts, jobs, recorder } = this.options
    const { project_id, project_name, name } = payload.job_info
    const labels = labelsOf(entry, settings.systemId)
    const number = this.numbers.take(project_id)
    const logger = entryLogger.child({ job: payload.id })
    const taker = { runner: entry.name, runnerToken: labels.runner, coordinator: entry.url }
    const watch = jobs.add(payload, taker, (stage, seconds) => recorder.stageEnded(labels, stage, seconds))
    const start = performance.now()
    logger.info({ project: project_name, name }, 'Job received')
    recorder.jobReceived(labels, payload)
    try {
      // Loaded with the first job: a runner that only waits does without the memory.
      const { runJob } = await import('./job/run-job.js')
      const deps = {
        entry,
        systemId: settings.systemId,
        client,
        executor,
        workspaces,
        temporaryDir,
        logger,
        timings: parts.timings ?? JOB_TIMINGS,
        enterStage: watch.enterStage,
      }
      const end = await runJob(deps, { payload, ...number }, signals)
      recorder.jobEnded(
        labels,
        (performance.now() - start) / 1000,
        end.kind === 'unwanted' ? undefined : failureReasonOf(end),
      )
      logger.info({ outcome: end.kind }, 'Job ended')
    } finally {
      watch.remove()
      number.release()
    }
  }
}

function pollerSettings(entry: RunnerEntry, settings: RunnerSettings) {
  return { entry, checkInterval: settings.checkIntervalSeconds * 1000 }
}
