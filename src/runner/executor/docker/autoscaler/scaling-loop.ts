import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { MINUTE, SECOND } from '../../../../lib/time-units.js'
import type { Fleet } from './fleet.js'
import type { MachineTasks } from './machine-tasks.js'
import type { AutoscalerPolicy, AutoscalerSettings } from './model/settings.js'
import { type Plan, plan, type PlanInput, untilNextPlan } from './plan/plan.js'
import { reconcile } from './plan/reconcile.js'
import type { Plugin, PluginInstance } from './plugins/plugin.js'
import { activePolicy, NO_POLICY } from './policy/active-policy.js'
import type { Probe } from './probe.js'
import type { AutoscalerRecorder } from './recorder.js'

/** Milliseconds until the next creation after one that failed. Doubles with each further failure. */
const FIRST_BACK_OFF = 2 * SECOND
const MAX_BACK_OFF = 5 * MINUTE
/** Applies when all machines are to be removed. */
const RETIRING: AutoscalerPolicy = { ...NO_POLICY, idleTime: 0 }

export interface ScalingLoopParts {
  pool: string
  fleet: Fleet
  tasks: MachineTasks
  plugin: Plugin
  probe: Probe
  recorder: AutoscalerRecorder
  settings: () => AutoscalerSettings
  /** Jobs that wait for a machine, and the maximum number of concurrent jobs. */
  waiting: () => number
  maxJobs: () => number
  /** False until it is known which machines have jobs. */
  mayRemove: () => boolean
  /** Called when another policy applies. */
  onPolicyChange: () => void
  logger: Logger
}

/**
 * Compares the machines that are with those that are wanted:
 *
 *     event, or a time is over ─▶ list of the machines, if it is due ─▶ plan ─▶ records ─▶ tasks
 *             ▲                                                                           │
 *             └────────────────────────── a task ended ───────────────────────────────────┘
 *
 * Nothing is created before the first list: until then, nobody knows which machines of an earlier process exist.
 */
export class ScalingLoop {
  private round = new AbortController()
  private lastList: number | undefined
  private isListFailureLogged = false
  private isListWanted = false
  private isRetiring = false
  private failures = 0
  private notBefore = 0
  private policy: AutoscalerPolicy | undefined

  constructor(private readonly parts: ScalingLoopParts) {}

  /** Consecutive creations that failed. */
  get failedCreations(): number {
    return this.failures
  }

  /** Must be called when the plan may have changed. */
  wake(): void {
    this.round.abort()
  }

  /** Must be called when a machine may have disappeared. */
  listSoon(): void {
    this.isListWanted = true
    this.wake()
  }

  /** Must be called when a machine became ready, or could not be created. `seconds`: since its record. */
  recordCreation(isReady: boolean, seconds: number): void {
    this.parts.recorder.instanceCreated(this.parts.pool, isReady, seconds)
    this.failures = isReady ? 0 : this.failures + 1
    const backOff = Math.min(FIRST_BACK_OFF * 2 ** (this.failures - 1), MAX_BACK_OFF)
    this.notBefore = isReady ? 0 : Date.now() + backOff
  }

  /** Removes all machines without jobs from now on, and creates none. */
  retire(): void {
    this.isRetiring = true
    this.wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    const onAbort = () => this.wake()
    signal.addEventListener('abort', onAbort)
    let rest = 0
    do {
      await pause(rest, this.round.signal)
      this.round = new AbortController()
      rest = signal.aborted ? 0 : await this.turn(signal).catch((error: unknown) => this.report(error))
    } while (!signal.aborted)
    signal.removeEventListener('abort', onAbort)
  }

  /** Returns the milliseconds until the next turn. */
  private async turn(signal: AbortSignal): Promise<number> {
    const { pool, fleet, recorder, settings } = this.parts
    if (Date.now() >= this.nextList) await this.compare(signal)
    if (this.lastList === undefined) return settings().updateIntervalWhenExpecting
    const input = this.planInput()
    const planned = plan(input)
    if (this.policy !== input.policy) {
      this.policy = input.policy
      this.parts.onPolicyChange()
    }
    await this.carryOut(this.parts.mayRemove() ? planned : { ...planned, drain: [], delete: [] }, signal)
    recorder.instances(pool, fleet.countStates())
    return Math.min(untilNextPlan(this.planInput()), Math.max(0, this.nextList - Date.now()))
  }

  /** The records alone decide until the next turn. */
  private report(error: unknown): number {
    this.parts.logger.error({ err: error }, `The machines cannot be managed: ${messageOf(error)}`)
    return this.parts.settings().updateIntervalWhenExpecting
  }

  private get nextList(): number {
    if (this.lastList === undefined || this.isListWanted) return 0
    const { updateInterval, updateIntervalWhenExpecting } = this.parts.settings()
    const { fleet } = this.parts
    const isExpecting = fleet.records.some(
      ({ name, state }) => (state !== 'ready' && state !== 'draining') || fleet.missesOf(name) > 0,
    )
    return this.lastList + (isExpecting ? updateIntervalWhenExpecting : updateInterval)
  }

  private planInput(): PlanInput {
    const { fleet, settings, waiting, maxJobs } = this.parts
    const now = Date.now()
    const instances = fleet.planned()
    const running = instances.reduce((sum, { record }) => sum + record.jobs.length, 0)
    const input = {
      instances,
      waiting: Math.min(waiting(), Math.max(0, maxJobs() - running)),
      policy: activePolicy(settings().policies, now),
      limits: settings(),
      created: fleet.creations(now),
      notBefore: this.notBefore,
      now,
    }
    if (!this.isRetiring) return input
    const limits = { ...settings(), instanceReadyTimeout: 0 }
    return { ...input, waiting: 0, policy: RETIRING, limits }
  }

  private async carryOut({ create, drain, delete: removals }: Plan, signal: AbortSignal): Promise<void> {
    const { fleet, tasks } = this.parts
    const now = Date.now()
    for (const { name, reason } of drain) await fleet.drain(name, reason, now)
    for (const { name, reason } of removals) {
      if (!this.isRetiring) this.recordUnready(name, now)
      if (await fleet.markDeleted(name, reason, now)) tasks.delete(name)
    }
    for (let count = 0; count < create && !signal.aborted; count++) tasks.create(await fleet.add(now))
  }

  /** Compares the records with the machines that exist. */
  private async compare(signal: AbortSignal): Promise<void> {
    const { fleet, tasks, pool } = this.parts
    const startedAt = Date.now()
    this.isListWanted = false
    const instances = await this.list(signal)
    if (!instances) return
    this.lastList = startedAt
    const known = fleet.records.map((record) => ({
      record,
      isBusy: tasks.isBusy(record.name),
      misses: fleet.missesOf(record.name),
      deletedAt: tasks.deletedAt(record.name),
    }))
    const result = reconcile(known, { instances, startedAt }, pool)
    const now = Date.now()
    fleet.recordMisses(result.missing)
    for (const { name, instance } of result.found) await fleet.confirm(name, instance, now)
    for (const name of result.lost) {
      this.recordUnready(name, now)
      await this.end(name, now, 'it disappeared')
    }
    for (const name of result.gone) await this.end(name, now)
    for (const machine of result.unknown) await fleet.addUnknown(machine, now)
    for (const name of [...result.undeleted, ...result.unknown.map((machine) => machine.name)])
      tasks.delete(name)
    for (const { name, state } of fleet.records)
      if (state === 'starting' && !tasks.isBusy(name)) tasks.connect(name)
    void this.checkEngines()
  }

  /** A machine that ends without having been ready is a creation that failed. */
  private recordUnready(name: string, now: number): void {
    const seconds = this.parts.fleet.secondsWithoutReadiness(name, now)
    if (seconds !== undefined) this.recordCreation(false, seconds)
  }

  private async end(name: string, now: number, reason?: string): Promise<void> {
    await this.parts.fleet.end(name, now, reason)
    this.parts.tasks.forget(name)
  }

  private async list(signal: AbortSignal): Promise<PluginInstance[] | undefined> {
    const { plugin, logger } = this.parts
    try {
      const instances = await plugin.list(signal)
      if (this.isListFailureLogged) logger.info('The machines can be listed again')
      this.isListFailureLogged = false
      return instances
    } catch (error) {
      if (signal.aborted) return undefined
      const level = this.isListFailureLogged ? 'debug' : 'error'
      logger[level]({ err: error }, `The machines cannot be listed: ${messageOf(error)}`)
      this.isListFailureLogged = true
      // Nothing is planned before the first list.
      if (this.lastList !== undefined) this.lastList = Date.now()
      return undefined
    }
  }

  private async checkEngines(): Promise<void> {
    const { fleet, probe } = this.parts
    await Promise.all(
      fleet.records.map(async ({ name, state, connection }) => {
        if (state !== 'ready' || !connection) return
        const isGood = await probe.check(connection).then(
          () => true,
          () => false,
        )
        fleet.recordCheck(name, isGood)
      }),
    )
  }
}
