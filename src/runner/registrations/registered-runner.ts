import { isDeepStrictEqual } from 'node:util'

import type { CoordinatorClient } from '../client/coordinator-client.js'
import type { ReceivedJob } from '../client/job-response.js'
import { shortToken } from '../client/runner-info.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import { EngineProblem } from '../executor/engine-problem.js'
import { EngineWatch } from '../executor/engine-watch.js'
import { JOB_TIMINGS } from '../job/job-context.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import type { JobSlots } from '../poller/job-slots.js'
import { Poller, type PollerSettings } from '../poller/poller.js'
import { registrationKey } from './plan-registrations.js'
import { Redelivery } from './redelivery.js'
import { RegistrationJobs, type RegistrationJobsOptions } from './registration-jobs.js'
import { registrationState, type RegistrationView } from './registration-view.js'
import { createRuntime, labelsOf, registrationLogger, type Runtime, type RuntimeOptions } from './runtime.js'
import { StateReports } from './state-reports.js'
import { rotateToken, tokenStore } from './token-rotation.js'

export interface RegisteredRunnerOptions
  extends Omit<RegistrationJobsOptions, 'onUndelivered'>, Omit<RuntimeOptions, 'holds'> {
  slots: JobSlots
}

const EFFECTS = {
  ofProblem: 'This runner requests no jobs until an engine or its cluster responds.',
  ofEnd: 'The engine or the cluster responds: jobs are requested again',
}

/** Milliseconds between two reports of hosts that change while no job is requested. */
const REPORT_INTERVAL = 10_000

/** The conditions that prevent job requests. */
export interface RegistrationAvailability {
  isWanted: boolean
  isPaused: boolean
  isDraining: boolean
}

/**
 * One running `[[runners]]` registration: its client, its executor and its poller. It immediately resumes the
 * unfinished jobs of an earlier process. Polling can start and stop any number of times. The object owns the jobs
 * and their numbers, so a registration keeps its object as long as one of its jobs runs.
 */
export class RegisteredRunner {
  private runtime: Runtime
  private readonly engine: EngineWatch
  private readonly poller: Poller
  private readonly jobs: RegistrationJobs
  private readonly redelivery: Redelivery
  private readonly retired: CoordinatorClient[] = []
  /** Aborts when the registration stops permanently. */
  private readonly end = new AbortController()
  private readonly ready: Promise<void>
  private readonly redelivering: Promise<void>
  private readonly stateReports: StateReports
  private readonly reporting: Promise<void>
  private polling: AbortController | undefined
  private rotation = new AbortController()
  private loops: Promise<void> = Promise.resolve()
  private readonly pings = new EngineProblem((signal) => this.runtime.executor.ping(signal))
  private endCapacity = () => {}

  constructor(
    private readonly options: RegisteredRunnerOptions,
    registration: RunnerRegistration,
    settings: RunnerSettings,
    unfinished: readonly JobJournal[],
  ) {
    this.stateReports = new StateReports({
      client: () => this.runtime.client,
      interval: REPORT_INTERVAL,
      logger: () => this.runtime.logger,
    })
    this.jobs = new RegistrationJobs({ ...options, onUndelivered: (journal) => this.redelivery.add(journal) })
    this.runtime = this.createRuntime(registration, settings)
    this.engine = new EngineWatch({
      executor: () => this.runtime.executor,
      problem: () => this.engineProblem(),
      effects: EFFECTS,
      logger: () => this.runtime.logger,
    })
    this.poller = new Poller(
      {
        client: { requestJob: (request) => this.runtime.client.requestJob(request) },
        slots: options.slots,
        gate: options.diskCleanup?.diskCleanup.gate,
        engine: this.engine.gate,
        dispatch: (job) => this.handle(job),
        onRest: () => options.recorder.restBegan(labelsOf(this.runtime.registration, settings.systemId)),
        logger: () => this.runtime.logger,
      },
      pollerSettings(this.runtime),
    )
    this.redelivery = new Redelivery({
      deliver: (journal) => this.deliverKept(journal),
      interval: (options.parts.timings ?? JOB_TIMINGS).redelivery,
      logger: this.runtime.logger,
    })
    this.ready = this.resumeJobs(unfinished)
    this.redelivering = this.redelivery.run(this.end.signal)
    this.reporting = this.stateReports.run(this.end.signal)
    this.rotateToken()
  }

  get name(): string {
    return this.runtime.registration.name
  }

  /** Identifies the registration in the settings. Changes when its token is renewed. */
  get key(): string {
    return registrationKey(this.runtime.registration)
  }

  /**
   * Applies settings to new jobs. Running jobs keep theirs, and an open request stays open. An unchanged
   * registration keeps its connections.
   */
  apply(registration: RunnerRegistration, settings: RunnerSettings): void {
    const isSame = isDeepStrictEqual(registration, this.runtime.registration)
    if (isSame) {
      this.runtime = {
        ...this.runtime,
        registration,
        settings,
        logger: registrationLogger(this.options.logger, registration),
      }
    } else {
      this.retired.push(this.runtime.client)
      this.runtime.executor.close?.()
      this.runtime = this.createRuntime(registration, settings)
      this.pings.reset()
      this.engine.restart()
      this.rotateToken()
    }
    this.applyLimit()
  }

  private async handle(job: ReceivedJob): Promise<void> {
    if (job.kind === 'job') this.stateReports.jobReceived(job.payload)
    await this.jobs.handle(job, this.runtime)
  }

  /** Also called when a host has changed. */
  private capacityChanged(): void {
    this.applyLimit()
    this.stateReports.changed()
  }

  /** Must be called when the settings or the capacity of the executor have changed. */
  private applyLimit(): void {
    this.poller.apply(pollerSettings(this.runtime))
  }

  /** Starts to request jobs, unless it already does. */
  startPolling(): void {
    if (this.polling) return
    const polling = new AbortController()
    this.polling = polling
    this.poller.resetHealth()
    // A stopped run may still wait for its request to be aborted.
    this.loops = Promise.all([this.loops, this.poll(polling.signal)]).then(() => {})
  }

  /** Aborts the open requests. Resolves when none is open, while jobs may still run. */
  async stopPolling(): Promise<void> {
    this.polling?.abort()
    this.polling = undefined
    await this.loops
  }

  /** Like `stopPolling`, permanently. Undelivered results stay in their journals. */
  async stop(): Promise<void> {
    this.end.abort()
    this.rotation.abort()
    this.endCapacity()
    this.runtime.executor.close?.()
    await Promise.all([this.stopPolling(), this.ready, this.redelivering, this.reporting])
  }

  /** Resolves when no job of this registration runs. */
  idle(): Promise<void> {
    return this.jobs.idle()
  }

  /** Ends the holds of its jobs. Must be called before `idle`, because a held job may keep its slot. */
  async endHolds(): Promise<void> {
    await this.jobs.endHolds()
  }

  /** Waits for open requests, and for what the executor still does. No job runs any more. */
  async close(): Promise<void> {
    await this.runtime.executor.end?.()
    await Promise.all(this.clients().map((client) => client.close()))
  }

  /** Aborts open requests. */
  async destroy(): Promise<void> {
    await Promise.all(this.clients().map((client) => client.destroy()))
  }

  /** The problem of the engine that runs the jobs. Undefined if it responds. */
  async engineProblem(): Promise<string | undefined> {
    return await this.pings.find()
  }

  view(availability: RegistrationAvailability): RegistrationView {
    const { registration } = this.runtime
    const { running } = this.jobs
    const { rest, openRequests, allowedRequests, longestRequest } = this.poller
    return {
      name: registration.name,
      url: registration.url,
      token: shortToken(registration.token),
      state: registrationState({ ...availability, rest, running, limit: registration.limit }),
      running,
      limit: registration.limit,
      hosts: this.runtime.executor.hosts?.(),
      openRequests,
      requestConcurrency: registration.requestConcurrency,
      allowedRequests,
      restSeconds: Math.ceil(rest / 1000),
      longestRequestSeconds: longestRequest / 1000,
    }
  }

  private createRuntime(registration: RunnerRegistration, settings: RunnerSettings): Runtime {
    const before = this.runtime as Runtime | undefined
    const runtime = createRuntime(
      this.options,
      registration,
      settings,
      () => this.poller.recordTrouble(),
      before?.executor,
    )
    this.endCapacity()
    const { capacity } = runtime.executor
    this.endCapacity = capacity?.onChange(() => this.capacityChanged()) ?? (() => {})
    return runtime
  }

  /**
   * Replaces the token before it expires, as long as these settings of the registration apply (runner protocol,
   * 1.4).
   */
  private rotateToken(): void {
    this.rotation.abort()
    const { registration, settings, client, logger } = this.runtime
    const { tokenLifetime: lifetime, isTokenRotationDisabled: isDisabled = false } = registration
    if (!lifetime || settings.configFile === undefined) return
    this.rotation = new AbortController()
    const store = tokenStore(settings.configFile, registration)
    const onToken = async (token: string) => {
      const { registration: before } = this.runtime
      this.runtime = { ...this.runtime, registration: { ...before, token } }
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
    return [this.runtime.client, ...this.retired]
  }

  private async poll(signal: AbortSignal): Promise<void> {
    await this.ready
    await Promise.all([this.engine.run(signal), this.poller.run(signal)])
  }

  /** Resumes the jobs of an earlier process and removes its other leftovers. */
  private async resumeJobs(unfinished: readonly JobJournal[]): Promise<void> {
    const running = unfinished.filter(({ outcome }) => !outcome)
    const ended = unfinished.filter(({ outcome }) => outcome)
    const held = ended.filter(({ hold }) => hold)
    ended.filter(({ isDelivered }) => !isDelivered).forEach((journal) => this.redelivery.add(journal))
    await this.removeLeftovers([...running, ...held])
    for (const journal of running) {
      this.stateReports.jobReceived(journal.job.payload)
      void this.poller.occupy(() => this.jobs.resume(journal, this.runtime))
    }
    for (const journal of held) {
      const hold = () => this.jobs.continueHold(journal, this.runtime)
      void (journal.hold?.keepsSlot ? this.poller.occupy(hold) : hold())
    }
  }

  private async removeLeftovers(jobs: readonly JobJournal[]): Promise<void> {
    const { executor, logger } = this.runtime
    try {
      const kept = jobs.filter(({ environment }) => environment).map(({ job }) => job.payload.id)
      await executor.removeLeftovers(new Set(kept))
    } catch (error) {
      logger.warn({ err: error }, 'The leftovers of an earlier runner could not be removed')
    }
  }

  private async deliverKept(journal: JobJournal) {
    const { client, registration, logger } = this.runtime
    // Loaded with the first stored result, to save memory in idle runners.
    const { deliverKept } = await import('../job/deliver-kept.js')
    return await deliverKept(
      { client, timeouts: registration.artifact, signal: this.options.signals.exit, logger },
      journal,
    )
  }
}

/** While the executor can run no job, its engine does not respond, so no job is requested either way. */
function pollerSettings({ registration, settings, executor }: Runtime): PollerSettings {
  const { limit = Infinity } = registration
  const jobs = Math.min(limit, Math.max(executor.capacity?.jobs ?? Infinity, 1))
  return {
    registration: { ...registration, limit: jobs === Infinity ? undefined : jobs },
    checkInterval: settings.checkIntervalSeconds * 1000,
  }
}
