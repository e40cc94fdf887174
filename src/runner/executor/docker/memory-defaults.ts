import type { EngineCapabilities } from './capabilities/capabilities.js'
import type { DockerExecutorSettings } from './settings.js'

/** The rest is reserved for the engine, the runner and the system. */
const SHARE = 0.9

/**
 * Adds default memory limits to the settings. A container gets at most nine tenths of the engine's memory. If it exceeds that,
 * the kernel kills the container and not a process of the host. Several concurrent jobs may still need more than
 * there is. The `memory` setting divides it.
 */
export function withMemoryDefaults(
  settings: DockerExecutorSettings,
  { memory, limits }: Pick<EngineCapabilities, 'memory' | 'limits'>,
): DockerExecutorSettings {
  const isJobSaid = isSaid(settings.memory, settings.memorySwap, settings.memoryReservation)
  const isServiceSaid = isSaid(
    settings.serviceMemory,
    settings.serviceMemorySwap,
    settings.serviceMemoryReservation,
  )
  const limit = memory === undefined || !limits.memory ? undefined : Math.floor(memory * SHARE)
  return {
    ...settings,
    ...(isJobSaid ? {} : { memory: limit }),
    ...(isServiceSaid ? {} : { serviceMemory: limit }),
  }
}

/** The engine refuses a memory limit that conflicts with the others. */
function isSaid(...limits: (number | undefined)[]): boolean {
  return limits.some((limit) => limit !== undefined)
}
