import { isDeepStrictEqual } from 'node:util'

import { messageOf } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { pause } from '../lib/pause.js'
import { tokenDigest } from '../lib/tokens.js'
import type { JobPayload } from '../protocol/job-payload.js'
import type { CacheStores, CacheStoresDeps } from './cache/cache-stores.js'
import type { CoordinatorClient } from './client.js'
import type { RunnerEntry, RunnerSettings } from './config/settings.js'
import { createEntryClient, labelsOf } from './entry-client.js'
import { entryState, type EntryView } from './entry-view.js'
import type { UsageObserver } from './executor/docker/usage-observer.js'
import type { Executor } from './executor/executor.js'
import type { OpenHostCare } from './host-care/open-host-care.js'
import { JOB_TIMINGS, type JobTimings } from './job/job-context.js'
import { failureReasonOf } from './job/outcome.js'
import type { JobEnd, RunnerSignals } from './job/run-job.js'
import type { ReceivedJob } from './job-answer.js'
import { JobNumbers } from './job-numbers.js'
import type { JobSlots } from './job-slots.js'
import type { JobJournal } from './journal/job-journal.js'
import type { Journals } from './journal/journals.js'
import type { Recorder } from './metrics/recorder.js'
import { entryKey } from './plan-entries.js'
import { Poller } from './poller.js'
import { Redelivery } from './redelivery.js'
import { refuseJob } from './refuse-job.js'
import type { JobWatch, RunningJobs } from './running-jobs.js'
import { shortToken } from './short-token.js'
import { rotateToken } from './token-rotation.js'
import { tokenStore } from './token-store.js'
import type { WorkspaceProvider } from './workspace/workspace.js'
import type { WorkspaceFolders } from './workspace-folders.js'

/** Hears of every job that comes, and of its end. */
export interface JobObserver {
  jobReceived(): void
  jobEnded(): void
}

/** Makes the parts that differ between kinds of runners. */
export interface RunnerParts {
  executor(entry: RunnerEntry, settings: RunnerSettings, logger: Logger, usage?: UsageObserver): Executor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  /** What the machine needs before the first job; called once. */
  prepareHost?(settings: RunnerSettings, logger: Logger): Promise<void>
  /** Looks after the disks of the host. */
  openHostCare?(settings: RunnerSettings, logger: Logger): Promise<OpenHostCare>
  timings?: JobTimings
}

export interface RegisteredRunnerOptions {
  parts: RunnerParts
  slots: JobSlots
  jobs: RunningJobs
  journals: Pick<Journals, 'begin'>
  hostCare: OpenHostCare | undefined
  folders: WorkspaceFolders
  recorder: Recorder
  observer?: JobObserver | undefined
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
  /** Made when they are first asked for. */
  caches: () => Promise<CacheStores>
  logger: Logger
}

/** Which of the reasons not to ask for jobs hold. */
export interface EntryStanding {
  isWanted: boolean
  isPaused: boolean
  isDraining: boolean
}

/**
 * One `[[runners]]` entry at work: its client, its executor and its poller. It goes on at once with what an earlier
 * process left unfinished; polling may begin and stop any number of times. The jobs and their numbers live on with this
 * object, so an entry has one for as long as one of its jobs runs.
 */
export class RegisteredRunner {
  private equipment: Equipment
  private readonly poller: Poller
  private readonly numbers = new JobNumbers()
  private readonly redelivery: Redelivery
  private readonly retired: CoordinatorClient[] = []
  /** Aborts when the entry is given up altogether. */
  private readonly end = new AbortController()
  private readonly ready: Promise<void>
  private readonly redelivering: Promise<void>
  private polling: AbortController | undefined
  private rotation = new AbortController()
  private loops: Promise<void> = Promise.resolve()
  private running = 0
  private onIdle: (() => void)[] = []
  private pendingPing: Promise<string | undefined> | undefined

  constructor(
    private readonly options: RegisteredRunnerOptions,
    entry: RunnerEntry,
    settings: RunnerSettings,
    unfinished: readonly JobJournal[],
  ) {
    this.equipment = this.equip(entry, settings)
    this.poller = new Poller(
      {
        client: { requestJob: (request) => this.equipment.client.requestJob(request) },
        slots: options.slots,
        gate: options.hostCare?.care.gate,
        dispatch: (job) => this.handle(job),
        onRest: () => options.recorder.restBegan(labelsOf(this.equipment.entry, settings.systemId)),
        logger: () => this.equipment.logger,
      },
      pollerSettings(entry, settings),
    )
    this.redelivery = new Redelivery({
      deliver: (journal) => this.deliverKept(journal),
      interval: (options.parts.timings ?? JOB_TIMINGS).redelivery,
      logger: this.equipment.logger,
    })
    this.ready = this.takeUp(unfinished)
    this.redelivering = this.redelivery.run(this.end.signal)
    this.rotateToken()
  }

  get name(): string {
    return this.equipment.entry.name
  }

  /** What makes it the same entry as one of the settings; another one once its token was renewed. */
  get key(): string {
    return entryKey(this.equipment.entry)
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
      this.rotateToken()
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

  /** As `stopPolling`, and for good: results that no coordinator took stay in their journals. */
  async stop(): Promise<void> {
    this.end.abort()
    this.rotation.abort()
    await Promise.all([this.stopPolling(), this.ready, this.redelivering])
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
    const { parts, recorder, hostCare, folders, temporaryDir } = this.options
    const logger = this.loggerFor(entry)
    const client = createEntryClient({
      entry,
      settings,
      recorder,
      onTrouble: () => this.poller.noteTrouble(),
    })
    const { dataDir } = settings
    const folder = folders.of(entry)
    const workspaces = parts.workspaces(folder, logger)
    let caches: Promise<CacheStores> | undefined
    return {
      entry,
      settings,
      client,
      executor: parts.executor(entry, settings, logger, hostCare?.usageOf(entry.docker)),
      workspaces: hostCare?.guard(workspaces, folder) ?? workspaces,
      caches: () => (caches ??= loadCaches({ entry, dataDir, temporaryDir, client })),
      logger,
    }
  }

  /** A child keeps the level that its parent had when it was made. */
  private loggerFor(entry: RunnerEntry): Logger {
    return this.options.logger.child({ runner: entry.name })
  }

  /** Replaces the token in time, for as long as these are the settings of the entry (runner protocol, 1.4). */
  private rotateToken(): void {
    this.rotation.abort()
    const { entry, settings, client, logger } = this.equipment
    const { tokenLifetime: lifetime, isTokenRotationDisabled: isDisabled = false } = entry
    if (!lifetime || settings.configFile === undefined) return
    this.rotation = new AbortController()
    const store = tokenStore(settings.configFile, entry)
    const onToken = async (token: string) => {
      const { entry: before } = this.equipment
      this.equipment = { ...this.equipment, entry: { ...before, token } }
      await this.options.folders.renew(before, { ...before, token })
    }
    const rotating = rotateToken(
      { lifetime, isDisabled, client, store, onToken, logger },
      this.rotation.signal,
    )
    rotating.catch((error: unknown) =>
      logger.error({ err: error }, 'The token of the runner is not replaced any more'),
    )
  }

  private clients(): CoordinatorClient[] {
    return [this.equipment.client, ...this.retired]
  }

  private async poll(signal: AbortSignal): Promise<void> {
    await this.ready
    await this.poller.run(signal)
  }

  /** Goes on with the jobs of an earlier process, and removes what it left behind apart from them. */
  private async takeUp(unfinished: readonly JobJournal[]): Promise<void> {
    const running = unfinished.filter(({ outcome }) => !outcome)
    unfinished.filter(({ outcome }) => outcome).forEach((journal) => this.redelivery.add(journal))
    await this.removeLeftovers(running)
    for (const journal of running) void this.poller.occupy(() => this.goOn(journal))
  }

  private async removeLeftovers(running: readonly JobJournal[]): Promise<void> {
    const { executor, logger } = this.equipment
    try {
      const kept = running.filter(({ environment }) => environment).map(({ job }) => job.payload.id)
      await executor.removeLeftovers(new Set(kept))
    } catch (error) {
      logger.warn({ err: error }, 'What an earlier runner left behind could not be removed')
    }
  }

  private async deliverKept(journal: JobJournal) {
    const { client, entry, logger } = this.equipment
    // With the first result that is kept: a runner that only waits does without the memory.
    const { deliverKept } = await import('./job/deliver-kept.js')
    return await deliverKept(
      { client, timeouts: entry.artifact, signal: this.options.signals.exit, logger },
      journal,
    )
  }

  private async handle(received: ReceivedJob): Promise<void> {
    const equipment = this.equipment
    if (received.kind === 'unreadable') {
      await refuseJob(equipment, received, `this runner cannot read the job: ${received.problem}`)
      return
    }
    await this.counted(received.payload, equipment, () => this.begin(received, equipment))
  }

  private async goOn(journal: JobJournal): Promise<void> {
    const equipment = this.equipment
    const { payload } = journal.job
    await this.counted(payload, equipment, async () => {
      const { release } = this.numbers.take(payload.job_info.project_id, journal.job)
      equipment.logger.info({ job: payload.id }, 'A job of an earlier process goes on')
      try {
        await this.runToEnd(journal, equipment)
      } finally {
        release()
      }
    })
  }

  /** What breaks is told to the coordinator: the job fails. */
  private async counted(payload: JobPayload, equipment: Equipment, work: () => Promise<void>): Promise<void> {
    this.running++
    this.options.observer?.jobReceived()
    try {
      await work()
    } catch (error) {
      await refuseJob(equipment, payload, messageOf(error))
    } finally {
      this.running--
      this.options.observer?.jobEnded()
      if (this.running === 0) this.onIdle.splice(0).forEach((resolve) => resolve())
    }
  }

  private async begin({ payload }: ReceivedJob & { kind: 'job' }, equipment: Equipment): Promise<void> {
    const { entry, settings, logger } = equipment
    const { journals, recorder } = this.options
    const { release, ...numbers } = this.numbers.take(payload.job_info.project_id)
    const { project_name: project, name } = payload.job_info
    logger.info({ job: payload.id, project, name }, 'Job received')
    recorder.jobReceived(labelsOf(entry, settings.systemId), payload)
    try {
      const runner = { url: entry.url, runner: entry.name, tokenDigest: tokenDigest(entry.token) }
      const journal = await journals.begin({ ...runner, payload, receivedAt: Date.now(), ...numbers })
      await this.runToEnd(journal, equipment)
    } finally {
      release()
    }
  }

  private async runToEnd(journal: JobJournal, equipment: Equipment): Promise<void> {
    try {
      const end = await this.watched(journal, equipment)
      equipment.logger.info({ job: journal.job.payload.id, outcome: end.kind }, 'Job ended')
      if (end.kind === 'undelivered') this.redelivery.add(journal)
    } catch (error) {
      await journal.remove()
      throw error
    } finally {
      this.options.hostCare?.care.jobEnded()
    }
  }

  private async watched(journal: JobJournal, equipment: Equipment): Promise<JobEnd> {
    const { entry, settings } = equipment
    const { jobs, recorder } = this.options
    const { payload, receivedAt } = journal.job
    const labels = labelsOf(entry, settings.systemId)
    const taker = { runner: entry.name, runnerToken: labels.runner, coordinator: entry.url }
    const onStageEnd = (stage: string, seconds: number) => recorder.stageEnded(labels, stage, seconds)
    const watch = jobs.add(payload, taker, onStageEnd, new Date(receivedAt))
    try {
      const end = await this.runJob(journal, equipment, watch)
      recorder.jobEnded(labels, (Date.now() - receivedAt) / 1000, reasonOf(end, journal))
      return end
    } finally {
      watch.remove()
    }
  }

  private async runJob(
    journal: JobJournal,
    { settings, logger, caches, ...equipment }: Equipment,
    { enterStage }: JobWatch,
  ): Promise<JobEnd> {
    const { temporaryDir, signals, parts } = this.options
    // Loaded with the first job: a runner that only waits does without the memory.
    const { runJob } = await import('./job/run-job.js')
    const deps = {
      ...equipment,
      systemId: settings.systemId,
      caches: await caches(),
      temporaryDir,
      logger: logger.child({ job: journal.job.payload.id }),
      timings: parts.timings ?? JOB_TIMINGS,
      enterStage,
    }
    return await runJob(deps, journal, signals)
  }
}

/** Also of a job whose result nobody has taken yet; undefined for one that did not fail. */
function reasonOf(end: JobEnd, { outcome }: JobJournal): string | undefined {
  const ended = end.kind === 'undelivered' ? outcome : end
  return !ended || ended.kind === 'unwanted' ? undefined : failureReasonOf(ended)
}

/** With the first job: what speaks to caches is of no use to a runner that only waits. */
async function loadCaches(deps: CacheStoresDeps): Promise<CacheStores> {
  const { createCacheStores } = await import('./cache/cache-stores.js')
  return createCacheStores(deps)
}

function pollerSettings(entry: RunnerEntry, settings: RunnerSettings) {
  return { entry, checkInterval: settings.checkIntervalSeconds * 1000 }
}
