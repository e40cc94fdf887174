import { messageOf } from '../lib/errors.js'
import type { Logger } from '../lib/logger.js'
import { tokenDigest } from '../lib/tokens.js'
import { type CacheStores, createCacheStores } from './cache/cache-stores.js'
import { CoordinatorClient } from './client.js'
import type { RunnerEntry, RunnerSettings } from './config/settings.js'
import type { UsageObserver } from './executor/docker/usage-observer.js'
import type { Executor } from './executor/executor.js'
import type { OpenHostCare } from './host-care/open-host-care.js'
import { deliverKept } from './job/deliver-kept.js'
import { JOB_TIMINGS, type JobTimings } from './job/job-context.js'
import { type JobEnd, runJob, type RunnerSignals } from './job/run-job.js'
import type { ReceivedJob } from './job-answer.js'
import { JobNumbers } from './job-numbers.js'
import type { JobSlots } from './job-slots.js'
import type { JobJournal } from './journal/job-journal.js'
import type { Journals } from './journal/journals.js'
import { Poller } from './poller.js'
import { Redelivery } from './redelivery.js'
import { refuseJob } from './refuse-job.js'
import { rotateToken } from './token-rotation.js'
import { tokenStore } from './token-store.js'
import type { WorkspaceProvider } from './workspace/workspace.js'
import { workspaceFolder } from './workspace-folder.js'

/** Hears of every job that comes, and of its end. */
export interface JobObserver {
  jobReceived(): void
  jobEnded(): void
}

/** Makes the parts that differ between kinds of runners. */
export interface RunnerParts {
  observer?: JobObserver
  executor(entry: RunnerEntry, settings: RunnerSettings, logger: Logger, usage?: UsageObserver): Executor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  /** What the machine needs before the first job; called once. */
  prepareHost?(settings: RunnerSettings, logger: Logger): Promise<void>
  /** Looks after the disks of the host. */
  openHostCare?(settings: RunnerSettings, logger: Logger): Promise<OpenHostCare>
  timings?: JobTimings
}

export interface RegisteredRunnerOptions {
  entry: RunnerEntry
  settings: RunnerSettings
  parts: RunnerParts
  slots: JobSlots
  journals: Pick<Journals, 'begin'>
  hostCare: OpenHostCare | undefined
  temporaryDir: string
  signals: RunnerSignals
  logger: Logger
}

/** One `[[runners]]` entry at work: its client, its executor and its poller. */
export class RegisteredRunner {
  readonly client: CoordinatorClient
  private readonly executor: Executor
  private readonly workspaces: WorkspaceProvider
  private readonly caches: CacheStores
  private readonly poller: Poller
  private readonly redelivery: Redelivery
  private readonly numbers = new JobNumbers()
  private readonly logger: Logger
  /** The one in use, which may have taken the place of that of the settings. */
  private token: string

  constructor(private readonly options: RegisteredRunnerOptions) {
    const { entry, settings, parts, slots } = options
    this.logger = options.logger.child({ runner: entry.name })
    this.token = entry.token
    this.client = new CoordinatorClient({
      url: entry.url,
      token: entry.token,
      systemId: settings.systemId,
      executor: 'docker',
      tls: entry.tls,
    })
    const { hostCare } = options
    this.executor = parts.executor(entry, settings, this.logger, hostCare?.usageOf(entry.docker))
    const folder = workspaceFolder(settings.dataDir, entry)
    const workspaces = parts.workspaces(folder, this.logger)
    this.workspaces = hostCare?.guard(workspaces, folder) ?? workspaces
    this.caches = createCacheStores({
      entry,
      dataDir: settings.dataDir,
      temporaryDir: options.temporaryDir,
      client: this.client,
    })
    this.poller = new Poller({
      entry,
      client: this.client,
      slots,
      checkInterval: settings.checkIntervalSeconds * 1000,
      dispatch: (job) => this.handle(job),
      gate: options.hostCare?.care.gate,
      logger: this.logger,
    })
    this.redelivery = new Redelivery({
      deliver: (journal) =>
        deliverKept({ client: this.client, signal: options.signals.exit, logger: this.logger }, journal),
      interval: (parts.timings ?? JOB_TIMINGS).redelivery,
      logger: this.logger,
    })
  }

  get entry(): RunnerEntry {
    return this.options.entry
  }

  /**
   * Goes on with the jobs of `unfinished`, then asks for more until `polling` aborts; resolves when no request is open,
   * while jobs may still run.
   */
  async run(polling: AbortSignal, unfinished: JobJournal[]): Promise<void> {
    const running = unfinished.filter(({ outcome }) => !outcome)
    unfinished.filter(({ outcome }) => outcome).forEach((journal) => this.redelivery.add(journal))
    await this.removeLeftovers(running)
    for (const journal of running) void this.poller.occupy(() => this.goOn(journal))
    await Promise.all([this.poller.run(polling), this.redelivery.run(polling), this.rotateToken(polling)])
  }

  private async rotateToken(polling: AbortSignal): Promise<void> {
    const { entry, settings } = this.options
    const { tokenLifetime: lifetime, isTokenRotationDisabled: isDisabled = false } = entry
    if (!lifetime || settings.configFile === undefined) return
    const { client, logger } = this
    const store = tokenStore(settings.configFile, entry)
    const onToken = (token: string) => (this.token = token)
    await rotateToken({ lifetime, isDisabled, client, store, onToken, logger }, polling)
  }

  private async removeLeftovers(running: JobJournal[]): Promise<void> {
    try {
      const kept = running.filter(({ environment }) => environment).map(({ job }) => job.payload.id)
      await this.executor.removeLeftovers(new Set(kept))
    } catch (error) {
      this.logger.warn({ err: error }, 'What an earlier runner left behind could not be removed')
    }
  }

  private async handle(received: ReceivedJob): Promise<void> {
    const { observer } = this.options.parts
    observer?.jobReceived()
    try {
      await this.takeToItsEnd(received)
    } finally {
      observer?.jobEnded()
    }
  }

  private async takeToItsEnd(received: ReceivedJob): Promise<void> {
    const { client, logger } = this
    if (received.kind === 'unreadable') {
      await refuseJob({ client, logger }, received, `this runner cannot read the job: ${received.problem}`)
      return
    }
    try {
      await this.begin(received)
    } catch (error) {
      await refuseJob({ client, logger }, received.payload, messageOf(error))
    }
  }

  private async begin({ payload }: ReceivedJob & { kind: 'job' }): Promise<void> {
    const { entry, journals } = this.options
    const { release, ...numbers } = this.numbers.take(payload.job_info.project_id)
    const { project_name: project, name } = payload.job_info
    this.logger.info({ job: payload.id, project, name }, 'Job received')
    try {
      const runner = { url: entry.url, runner: entry.name, tokenDigest: tokenDigest(entry.token) }
      const journal = await journals.begin({ ...runner, payload, receivedAt: Date.now(), ...numbers })
      await this.runToEnd(journal)
    } finally {
      release()
    }
  }

  private async goOn(journal: JobJournal): Promise<void> {
    const { payload } = journal.job
    const { client, logger } = this
    const { release } = this.numbers.take(payload.job_info.project_id, journal.job)
    logger.info({ job: payload.id }, 'A job of an earlier process goes on')
    try {
      await this.runToEnd(journal)
    } catch (error) {
      await refuseJob({ client, logger }, payload, messageOf(error))
    } finally {
      release()
    }
  }

  private async runToEnd(journal: JobJournal): Promise<void> {
    try {
      const end = await this.runJob(journal)
      this.logger.info({ job: journal.job.payload.id, outcome: end.kind }, 'Job ended')
      if (end.kind === 'undelivered') this.redelivery.add(journal)
    } catch (error) {
      await journal.remove()
      throw error
    } finally {
      this.options.hostCare?.care.jobEnded()
    }
  }

  private async runJob(journal: JobJournal): Promise<JobEnd> {
    const { entry, settings, temporaryDir, signals, parts } = this.options
    const deps = {
      entry: { ...entry, token: this.token },
      systemId: settings.systemId,
      client: this.client,
      executor: this.executor,
      workspaces: this.workspaces,
      caches: this.caches,
      temporaryDir,
      logger: this.logger.child({ job: journal.job.payload.id }),
      timings: parts.timings ?? JOB_TIMINGS,
    }
    return await runJob(deps, journal, signals)
  }
}
