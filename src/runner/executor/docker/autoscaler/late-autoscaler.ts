import { isDeepStrictEqual } from 'node:util'

import { messageOf } from '../../../../lib/errors.js'
import type { DockerHost, HostSource } from '../hosts/host-source.js'
import type { Autoscaler } from './autoscaler.js'
import type { AutoscalerSettings } from './model/settings.js'
import { QueueDemand } from './queue-demand.js'
import type { AutoscalerOptions } from './start-autoscaler.js'

/** What may change while the autoscaler runs. */
export interface CurrentSettings {
  settings: AutoscalerSettings
  /** Maximum number of concurrent jobs of the registration. */
  maxJobs: number
  /** Number of waiting jobs that the runner may take. Undefined if the coordinator does not report it. */
  countQueued: (signal: AbortSignal) => Promise<number | undefined>
}

/**
 * An autoscaler whose modules are loaded when it starts, to save memory in runners without one. It outlives changes of the
 * settings.
 */
export class LateAutoscaler implements HostSource {
  readonly keepsPlacesOfHeldJobs = true
  private readonly listeners = new Set<() => void>()
  private readonly starting: Promise<Autoscaler>
  private autoscaler: Autoscaler | undefined
  private settings: AutoscalerSettings
  private maxJobs = Infinity
  private countQueued: CurrentSettings['countQueued'] = async () => undefined

  constructor(
    private readonly options: Omit<AutoscalerOptions, 'maxJobs' | 'demand'> & { queueInterval: number },
  ) {
    this.settings = options.settings
    this.starting = this.start()
    this.starting.catch((error: unknown) =>
      options.logger.error({ err: error }, `The autoscaler cannot start: ${messageOf(error)}`),
    )
  }

  get pool(): string {
    return this.options.pool
  }

  /** Uses this from now on. The plugin and the command that checks machines keep the settings of the start. */
  apply({ settings, maxJobs, countQueued }: CurrentSettings): void {
    this.maxJobs = maxJobs
    this.countQueued = countQueued
    const { plugin, instanceReadyCommand } = this.options.settings
    if (
      !isDeepStrictEqual(settings.plugin, plugin) ||
      settings.instanceReadyCommand !== instanceReadyCommand
    ) {
      this.options.logger.warn(
        'A change of plugin, plugin_config or instance_ready_command takes effect at the next start',
      )
    }
    this.settings = settings
    this.autoscaler?.apply(settings)
  }

  /** Must be called when no more jobs run. Removes the machines, if the settings say so. */
  async end(): Promise<void> {
    const autoscaler = await this.starting.catch(() => undefined)
    await (this.settings.deleteInstancesOnShutdown ? autoscaler?.removeAll() : autoscaler?.stop())
  }

  /** See `Autoscaler.keepJobs`. */
  async keepJobs(kept: ReadonlySet<number>): Promise<void> {
    await (await this.starting).keepJobs(kept)
  }

  get hosts(): readonly DockerHost[] {
    return this.autoscaler?.hosts ?? []
  }

  get capacity(): number {
    return this.autoscaler?.capacity ?? 0
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  jobsWaiting(count: number): void {
    this.autoscaler?.jobsWaiting(count)
  }

  jobStarted(host: string, jobId: number): void {
    this.autoscaler?.jobStarted(host, jobId)
  }

  jobEnded(host: string, jobId: number): void {
    this.autoscaler?.jobEnded(host, jobId)
  }

  hostAway(): void {
    this.autoscaler?.hostAway()
  }

  find(name: string): DockerHost | undefined {
    return this.autoscaler?.find(name)
  }

  private async start(): Promise<Autoscaler> {
    const { startAutoscaler } = await import('./start-autoscaler.js')
    this.autoscaler = startAutoscaler({
      ...this.options,
      settings: this.settings,
      maxJobs: () => this.maxJobs,
      demand: this.createDemand(),
    })
    this.autoscaler.onChange(() => this.changed())
    this.changed()
    return this.autoscaler
  }

  private createDemand(): QueueDemand {
    const { queueInterval: interval, logger } = this.options
    return new QueueDemand({ countQueued: (signal) => this.countQueued(signal), interval, logger })
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }
}
