import type Docker from 'dockerode'

import { engineFailure } from './engine.js'
import type { DockerExecutorSettings } from './settings.js'

/** The rest is reserved for the engine, the runner and the system. */
const SHARE = 0.9

/**
 * Applies default memory limits. A container gets at most nine tenths of the engine's memory. If it exceeds that,
 * the kernel kills the container and not a process of the host. Several concurrent jobs may still need more than
 * there is. The `memory` setting divides it.
 */
export class MemoryDefaults {
  private limit: Promise<number | undefined> | undefined

  constructor(private readonly docker: Pick<Docker, 'info'>) {}

  /** Throws an `ExecutorError` if the engine does not report the size of its memory. */
  async applyTo(settings: DockerExecutorSettings): Promise<DockerExecutorSettings> {
    const isJobSaid = isSaid(settings.memory, settings.memorySwap, settings.memoryReservation)
    const isServiceSaid = isSaid(
      settings.serviceMemory,
      settings.serviceMemorySwap,
      settings.serviceMemoryReservation,
    )
    if (isJobSaid && isServiceSaid) return settings
    this.limit ??= this.fetchMemory().catch((error: unknown) => {
      this.limit = undefined
      throw engineFailure(error, 'reporting the size of its memory')
    })
    const limit = await this.limit
    return {
      ...settings,
      ...(isJobSaid ? {} : { memory: limit }),
      ...(isServiceSaid ? {} : { serviceMemory: limit }),
    }
  }

  private async fetchMemory(): Promise<number | undefined> {
    const { MemTotal: total } = (await this.docker.info()) as { MemTotal?: number }
    return total ? Math.floor(total * SHARE) : undefined
  }
}

/** The engine refuses a memory limit that conflicts with the others. */
function isSaid(...limits: (number | undefined)[]): boolean {
  return limits.some((limit) => limit !== undefined)
}
