import type Docker from 'dockerode'

import { engineFailure } from './engine.js'
import type { DockerExecutorSettings } from './settings.js'

/** The rest is for the engine, the runner and the system. */
const SHARE = 0.9

/**
 * Limits of memory that the settings leave open: a container gets at most nine tenths of the memory of the engine, so
 * that one that takes too much is ended itself, and not a process of the host. Several jobs at a time may still want more
 * than there is; `memory` in the settings divides it.
 */
export class MemoryDefaults {
  private limit: Promise<number | undefined> | undefined

  constructor(private readonly docker: Pick<Docker, 'info'>) {}

  /** Throws an `ExecutorError` when the engine does not say how much memory it has. */
  async applyTo(settings: DockerExecutorSettings): Promise<DockerExecutorSettings> {
    const isJobSaid = isSaid(settings.memory, settings.memorySwap, settings.memoryReservation)
    const isServiceSaid = isSaid(
      settings.serviceMemory,
      settings.serviceMemorySwap,
      settings.serviceMemoryReservation,
    )
    if (isJobSaid && isServiceSaid) return settings
    this.limit ??= this.ask().catch((error: unknown) => {
      this.limit = undefined
      throw engineFailure(error, 'being asked how much memory it has')
    })
    const limit = await this.limit
    return {
      ...settings,
      ...(isJobSaid ? {} : { memory: limit }),
      ...(isServiceSaid ? {} : { serviceMemory: limit }),
    }
  }

  private async ask(): Promise<number | undefined> {
    const { MemTotal: total } = (await this.docker.info()) as { MemTotal?: number }
    return total ? Math.floor(total * SHARE) : undefined
  }
}

/** The engine refuses a limit of memory that does not fit the others. */
function isSaid(...limits: (number | undefined)[]): boolean {
  return limits.some((limit) => limit !== undefined)
}
