import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { MINUTE, SECOND } from '../../../../lib/time-units.js'
import type { DockerHost, HostSource } from '../hosts/host-source.js'
import type { Demand } from './demand.js'
import { Fleet } from './fleet.js'
import type { LedgerStore } from './ledger/ledger-files.js'
import { Ledger } from './ledger/ledger.js'
import { MachineTasks } from './machine-tasks.js'
import type { AutoscalerSettings } from './model/settings.js'
import type { Plugin } from './plugins/plugin.js'
import { activePolicy } from './policy/active-policy.js'
import type { Probe } from './probe.js'
import type { AutoscalerRecorder } from './recorder.js'
import { ScalingLoop } from './scaling-loop.js'

/** After this many failed creations in a row, no job is taken that would have to wait for a machine. */
const MANY_FAILURES = 3
/** Milliseconds within which a job of an earlier process is continued. */
const MAX_ADOPTION = MINUTE
/** Milliseconds within which machines are removed when the runner stops. */
const MAX_REMOVAL = 30 * SECOND

export interface AutoscalerParts {
  settings: AutoscalerSettings
  pool: string
  store: LedgerStore
  plugin: Plugin
  probe: Probe
  demand: Demand
  /** Maximum number of concurrent jobs of the registration now. */
  maxJobs: () => number
  recorder: AutoscalerRecorder
  logger: Logger
}

interface Running {
  fleet: Fleet
  loop: ScalingLoop
  /** Resolves when the loop and all tasks have ended. */
  ended: Promise<void>
}

/**
 * The machines of a registration that are created on demand. Machines that were ready before a restart may get jobs at
 * once; all others are compared with the list of the plugin first.
 */
export class Autoscaler implements HostSource {
  private readonly end = new AbortController()
  private readonly listeners = new Set<() => void>()
  private readonly opening: Promise<Running>
  private running: Running | undefined
  private waiting = 0
  /** Jobs of an earlier process whose machine is not known yet. Undefined until it is known which ones are continued. */
  private unplaced: Set<number> | undefined
  private keptAt = 0
  private settings: AutoscalerSettings

  private constructor(private readonly parts: AutoscalerParts) {
    this.settings = parts.settings
    this.opening = this.open()
    // Callers of the methods get the error.
    this.opening.catch((error: unknown) =>
      parts.logger.error({ err: error }, `The autoscaler cannot start: ${messageOf(error)}`),
    )
  }

  /** Starts to create and remove machines. */
  static start(parts: AutoscalerParts): Autoscaler {
    return new Autoscaler(parts)
  }

  /** Uses these settings from now on. The plugin and the limit of jobs stay. */
  apply(settings: AutoscalerSettings): void {
    this.settings = settings
    this.changed()
  }

  /** Creates and removes no more. Machines stay, and the next process continues with them. */
  async stop(): Promise<void> {
    this.end.abort()
    const running = await this.opening.catch(() => undefined)
    await running?.ended
  }

  /** Removes the machines that have no job, then stops. Machines that cannot be removed in time are left. */
  async removeAll(): Promise<void> {
    const { fleet, loop } = await this.opening
    const isOver = new AbortController()
    const endOfChanges = this.onChange(() => (fleet.records.length === 0 ? isOver.abort() : undefined))
    loop.retire()
    if (fleet.records.length > 0) await pause(MAX_REMOVAL, isOver.signal)
    endOfChanges()
    const left = fleet.records.map(({ name }) => name)
    if (left.length > 0)
      this.parts.logger.warn({ instances: left }, 'Machines are left when the runner stops')
    await this.stop()
  }

  get hosts(): readonly DockerHost[] {
    return this.running?.fleet.hosts(this.settings) ?? []
  }

  get capacity(): number {
    const { policies, maxInstances, capacityPerInstance } = this.settings
    const isCreating = (this.running?.loop.failedCreations ?? 0) < MANY_FAILURES
    const isPreemptive = activePolicy(policies, Date.now()).preemptiveMode
    return isPreemptive || !isCreating ? 0 : maxInstances * capacityPerInstance
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  jobsWaiting(count: number): void {
    if (count > this.waiting) this.parts.demand.jobReceived()
    this.waiting = count
    this.running?.loop.wake()
  }

  jobStarted(host: string, jobId: number): void {
    this.unplaced?.delete(jobId)
    this.store(this.running?.fleet.jobStarted(host, jobId, Date.now()))
  }

  jobEnded(host: string, jobId: number): void {
    this.store(this.running?.fleet.jobEnded(host, jobId, Date.now()))
  }

  /** The machine may be gone. Its jobs fail as soon as that is known. */
  hostAway(): void {
    this.running?.loop.listSoon()
  }

  find(name: string): DockerHost | undefined {
    return this.running?.fleet.find(name, this.settings)
  }

  /**
   * Must be called when it is known which jobs of an earlier process are continued. Throws `LedgerError` if the records
   * of the machines cannot be read.
   */
  async keepJobs(kept: ReadonlySet<number>): Promise<void> {
    const { fleet, loop } = await this.opening
    const recorded = new Set(fleet.records.flatMap(({ jobs }) => jobs))
    this.unplaced = new Set([...kept].filter((jobId) => !recorded.has(jobId)))
    this.keptAt = Date.now()
    loop.wake()
    await fleet.keepJobs(kept, this.keptAt)
  }

  /** A runner may be killed before the record says that a machine has a job, so none is removed before jobs are continued. */
  private get mayRemove(): boolean {
    if (!this.unplaced) return false
    return this.unplaced.size === 0 || Date.now() - this.keptAt >= MAX_ADOPTION
  }

  private async open(): Promise<Running> {
    const { store, plugin, probe, pool, recorder, demand, maxJobs, logger } = this.parts
    const ledger = await Ledger.open(store)
    const onChange = () => this.changed()
    const fleet = new Fleet({ pool, ledger, recorder, onChange, logger })
    const onCreated = (isReady: boolean, seconds: number) => loop.recordCreation(isReady, seconds)
    const tasks = new MachineTasks({ ledger, plugin, probe, onChange, onCreated, logger })
    const waiting = () => this.waiting + demand.queued
    const settings = () => this.settings
    const mayRemove = () => this.mayRemove
    const loop: ScalingLoop = new ScalingLoop({
      pool,
      fleet,
      tasks,
      plugin,
      probe,
      recorder,
      settings,
      waiting,
      maxJobs,
      mayRemove,
      onPolicyChange: onChange,
      logger,
    })
    const ended = Promise.all([
      loop.run(this.end.signal).then(() => tasks.stop()),
      demand.run(() => loop.wake(), this.end.signal),
    ]).then(() => {})
    this.running = { fleet, loop, ended }
    this.changed()
    return this.running
  }

  private changed(): void {
    this.running?.loop.wake()
    for (const listener of this.listeners) listener()
  }

  /** A record that cannot be stored is stored with its next change. Until then, a restart might use a machine once more. */
  private store(stored: Promise<void> | undefined): void {
    stored?.catch((error: unknown) =>
      this.parts.logger.error(
        { err: error },
        `The record of a machine cannot be stored: ${messageOf(error)}`,
      ),
    )
  }
}
