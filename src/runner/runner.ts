import { rm } from 'node:fs/promises'

import { deferred } from '../lib/deferred.js'
import { SwitchyardError } from '../lib/errors.js'
import { removeUnfinished } from '../lib/files.js'
import type { Logger } from '../lib/logger.js'
import { pause } from '../lib/pause.js'
import { DAY } from '../lib/time-units.js'
import type { RunnerRegistration, RunnerSettings } from './config/settings.js'
import type { OpenDiskCleanup } from './disk-cleanup/open-disk-cleanup.js'
import type { HeldJob, HoldView } from './holds/held-job.js'
import { Holds } from './holds/holds.js'
import type { JobJournal } from './job/journal/job-journal.js'
import { Journals } from './job/journal/journals.js'
import { openTemporaryFolder } from './job/temporary-folder.js'
import { JobSlots } from './poller/job-slots.js'
import { DEFAULT_RUNTIME } from './registrations/default-runtime.js'
import { abortOrphanedJobs, assignOrphanedJobs } from './registrations/orphaned-jobs.js'
import { NO_RECORDER, type Recorder } from './registrations/recorder.js'
import { RegisteredRunner } from './registrations/registered-runner.js'
import type { JobObserver } from './registrations/registration-jobs.js'
import type { RegistrationHealth, RegistrationView } from './registrations/registration-view.js'
import { Registrations } from './registrations/registrations.js'
import { type RunningJob, RunningJobs } from './registrations/running-jobs.js'
import type { RuntimeFactory } from './registrations/runtime-factory.js'
import { WorkspaceFolders } from './registrations/workspace-folders.js'

/** A running runner: one process with any number of registrations. */
export interface Runner {
  /** Accepts no more jobs. Resolves when the running jobs have ended, however long that takes. */
  stopGracefully(): Promise<void>
  /**
   * Accepts no more jobs and resolves at once, so that the process can exit. Its jobs continue in their containers,
   * and the next process resumes them.
   */
  leave(): Promise<void>
  /**
   * Aborts the running jobs, which fail as "aborted: <reason>". Resolves when they are reported and cleaned up.
   * Throws `ShutdownTimeoutError` if that takes longer than the shutdown timeout.
   */
  stopNow(reason: string): Promise<void>
  /** Resolves when the runner begins to stop, in any way. */
  readonly stopping: Promise<void>
  /** Resolves when the runner has stopped, in any way. */
  readonly finished: Promise<void>
  /** Applies new settings. Running jobs keep theirs, and open requests stay open. */
  apply(settings: RunnerSettings): void
  /** Must be called when the result of `isPaused` may have changed. */
  reconsider(): void
  readonly concurrent: number
  entries(): RegistrationView[]
  jobs(): RunningJob[]
  /** Resolves when the next job has ended. */
  nextJobEnd(): Promise<void>
  /** The ended jobs whose environments are kept. */
  holds(): HoldView[]
  /** The holds of jobs with this ID: at most one for each coordinator. */
  holdsOf(jobId: number): HeldJob[]
  /** Checks whether the engines that run the jobs respond. */
  health(): Promise<RegistrationHealth[]>
}

export interface RunnerHelpers {
  recorder?: Recorder
  /** Whether the registration with this name is paused. */
  isPaused?: (name: string) => boolean
  observer?: JobObserver
  /** Called with the number of running jobs whenever it changes. */
  onJobs?: (count: number) => void
  /** Aborts the start: `startRunner` rejects with its reason, and nothing is running. */
  starting?: AbortSignal
}

/** Jobs did not end in time. Their containers or their results may be left behind. */
class ShutdownTimeoutError extends SwitchyardError {
  readonly name = 'ShutdownTimeoutError'
  readonly code = 'SHUTDOWN_TIMEOUT'

  constructor(seconds: number) {
    super(`Not all jobs ended within ${seconds} seconds`)
  }
}

/** Starts requesting jobs, for every registration in the settings. A failed start leaves nothing behind. */
export async function startRunner(
  settings: RunnerSettings,
  logger: Logger,
  parts: RuntimeFactory = DEFAULT_RUNTIME,
  helpers: RunnerHelpers = {},
): Promise<Runner> {
  helpers.starting?.throwIfAborted()
  await removeUnfinished(settings.dataDir, new Date(Date.now() - DAY))
  const temporaryDir = await openTemporaryFolder(settings.dataDir)
  try {
    return await start({ settings, logger, parts, temporaryDir, helpers })
  } catch (error) {
    await rm(temporaryDir, { recursive: true, force: true })
    throw error
  }
}

async function start(options: Omit<ProcessOptions, 'folders' | 'journals' | 'diskCleanup'>): Promise<Runner> {
  const { settings, logger, parts, helpers } = options
  await parts.prepareHost?.(settings, logger)
  const diskCleanup = await parts.openDiskCleanup?.(settings, logger)
  const folders = await WorkspaceFolders.open(settings.dataDir, logger)
  const journals = new Journals(settings.dataDir, logger)
  const unfinished = await journals.open()
  helpers.starting?.throwIfAborted()
  const runner = new RunnerProcess({ ...options, folders, journals, diskCleanup })
  runner.start(unfinished)
  return runner
}

interface ProcessOptions {
  settings: RunnerSettings
  logger: Logger
  parts: RuntimeFactory
  temporaryDir: string
  folders: WorkspaceFolders
  journals: Journals
  diskCleanup: OpenDiskCleanup | undefined
  helpers: RunnerHelpers
}

class RunnerProcess implements Runner {
  private readonly shutdown = new AbortController()
  private readonly exit = new AbortController()
  private readonly slots: JobSlots
  private readonly runningJobs: RunningJobs
  private readonly held: Holds
  private readonly members: Registrations
  private readonly stopBegun = deferred()
  private readonly stopped = deferred()
  private stop: Promise<void> | undefined
  private settings: RunnerSettings
  private readonly logger: Logger
  /** Unfinished jobs of earlier processes, by the registration that resumes them. */
  private shares = new Map<RunnerRegistration | undefined, JobJournal[]>()
  private orphans: Promise<void> = Promise.resolve()
  private caring: Promise<void> = Promise.resolve()
  private readonly endOfCare = new AbortController()
  readonly stopping = this.stopBegun.promise
  readonly finished = this.stopped.promise

  constructor(private readonly options: ProcessOptions) {
    const { settings, logger, parts, temporaryDir, folders, journals, diskCleanup, helpers } = options
    const { recorder = NO_RECORDER, isPaused = () => false, observer, onJobs } = helpers
    this.settings = settings
    this.logger = logger
    this.slots = new JobSlots(settings.concurrent)
    this.runningJobs = new RunningJobs(onJobs)
    const { dataDir, hold, areTerminalsEnabled } = settings
    this.held = new Holds({ dataDir, logger }, hold, areTerminalsEnabled)
    const { slots, runningJobs: jobs } = this
    const signals = { shutdown: this.shutdown.signal, exit: this.exit.signal }
    const shared = {
      parts,
      slots,
      jobs,
      journals,
      holds: this.held,
      diskCleanup,
      folders,
      recorder,
      observer,
      temporaryDir,
      signals,
      logger,
    }
    this.members = new Registrations({
      create: (registration, current) =>
        new RegisteredRunner(shared, registration, current, this.shares.get(registration) ?? []),
      isPaused,
      logger,
    })
  }

  start(unfinished: JobJournal[]): void {
    const { runners, concurrent } = this.settings
    this.shares = assignOrphanedJobs(unfinished, runners)
    this.members.apply(this.settings)
    this.caring = this.options.diskCleanup?.diskCleanup.run(this.endOfCare.signal) ?? Promise.resolve()
    this.orphans = abortOrphanedJobs(this.shares.get(undefined) ?? [], this.settings, this.logger)
    // A registration that is added later has no unfinished jobs.
    this.shares.clear()
    this.logger.info({ runners: runners.length, concurrent }, 'Runner started')
  }

  get concurrent(): number {
    return this.slots.concurrent
  }

  apply(settings: RunnerSettings): void {
    this.settings = settings
    this.slots.resize(settings.concurrent)
    this.held.apply(settings.hold, settings.areTerminalsEnabled)
    this.members.apply(settings)
  }

  reconsider(): void {
    this.members.poll()
  }

  entries(): RegistrationView[] {
    return this.members.views()
  }

  jobs(): RunningJob[] {
    return this.runningJobs.list()
  }

  nextJobEnd(): Promise<void> {
    return this.runningJobs.nextEnd()
  }

  holds(): HoldView[] {
    return this.held.list()
  }

  holdsOf(jobId: number): HeldJob[] {
    return this.held.find(jobId)
  }

  health(): Promise<RegistrationHealth[]> {
    return this.members.health()
  }

  async stopGracefully(): Promise<void> {
    this.stop ??= this.finish()
    await this.stop
  }

  async leave(): Promise<void> {
    this.stopBegun.resolve()
    await Promise.all([this.stopRequesting(), this.held.leave()])
    this.logger.info({ jobs: this.slots.taken }, 'Runner leaves its jobs to the next process')
  }

  async stopNow(reason: string): Promise<void> {
    this.shutdown.abort(reason)
    const { shutdownTimeoutSeconds } = this.settings
    const isOver = new AbortController()
    const timeout = pause(shutdownTimeoutSeconds * 1000, isOver.signal).then(() => 'timeout' as const)
    const ended = await Promise.race([this.stopGracefully(), timeout])
    isOver.abort()
    if (ended !== 'timeout') return
    this.exit.abort()
    await Promise.all(this.members.all().map((member) => member.destroy()))
    throw new ShutdownTimeoutError(shutdownTimeoutSeconds)
  }

  private async finish(): Promise<void> {
    this.stopBegun.resolve()
    await Promise.all([this.stopRequesting(), this.held.close()])
    await this.slots.idle()
    await Promise.all(this.members.all().map((member) => member.close()))
    await rm(this.options.temporaryDir, { recursive: true, force: true })
    this.logger.info('Runner stopped')
    this.stopped.resolve()
  }

  private async stopRequesting(): Promise<void> {
    this.endOfCare.abort()
    await Promise.all([this.members.drain(), this.orphans, this.caring])
  }
}
