import type { HostConfig } from 'dockerode'

import { DEFAULT_OUTPUT_LIMIT } from '../../output/plan-output-files.js'
import type { ResourceSettings, Ulimit } from '../settings.js'

/** Enough for large parallel builds, and few enough that a fork bomb leaves processes to the host. */
const DEFAULT_PIDS = 4096

/** Maximum number of processes and threads of one container. Undefined means no limit. */
export function pidsLimit({
  pidsLimit = DEFAULT_PIDS,
}: Pick<ResourceSettings, 'pidsLimit'>): number | undefined {
  return pidsLimit > 0 ? pidsLimit : undefined
}

/** Resource limits in the engine's format. Unlimited resources are omitted. */
export function resourceLimits(settings: ResourceSettings): HostConfig {
  return withoutAbsent({
    Memory: settings.memory || undefined,
    MemorySwap: settings.memorySwap || undefined,
    MemoryReservation: settings.memoryReservation || undefined,
    NanoCpus: settings.cpus ? Math.round(settings.cpus * 1e9) : undefined,
    CpusetCpus: settings.cpusetCpus,
    CpusetMems: settings.cpusetMems,
    CpuShares: settings.cpuShares,
    CgroupParent: settings.cgroupParent,
    OomKillDisable: settings.oomKillDisable,
    OomScoreAdj: settings.oomScoreAdjust,
    PidsLimit: pidsLimit(settings),
    Ulimits: settings.ulimit,
    ShmSize: settings.shmSize || undefined,
  })
}

/**
 * Bytes in the engine's log per byte of output in the worst case. Each line of the `local` driver has some thirty
 * bytes in addition to its text.
 */
const OVERHEAD = 32

/**
 * The log driver for a job. The engine keeps the output until the container is removed, so that a restarted runner
 * can read it from the beginning. The limit exceeds the maximum size of a job log (`output_limit`), so no output is
 * lost before that. Beyond it, the engine drops the oldest output, so that a job cannot fill the disk by printing.
 * (`json-file` of Docker is slower and replaces bytes that are not UTF-8.) There is only one file, so a reader never
 * crosses a rotation.
 */
export function jobLogConfig(
  outputLimitBytes = DEFAULT_OUTPUT_LIMIT,
  driver: 'local' | 'json-file' = 'local',
): NonNullable<HostConfig['LogConfig']> {
  const kibibytes = Math.ceil((outputLimitBytes * OVERHEAD) / 1024)
  const size = { 'max-size': `${kibibytes}k`, 'max-file': '1' }
  return { Type: driver, Config: driver === 'local' ? { ...size, compress: 'false' } : size }
}

/**
 * The log driver for services. Their last lines are shown when they fail. With `CI_DEBUG_SERVICES`, all lines are
 * shown as they are printed.
 */
export const SERVICE_LOG_CONFIG = {
  Type: 'json-file',
  Config: { 'max-size': '16m', 'max-file': '2' },
} satisfies NonNullable<HostConfig['LogConfig']>

/** Parses `1024:2048`, soft and hard limit, or one number for both. -1 means no limit (runner protocol, 9.4). */
export function parseUlimit(name: string, text: string): Ulimit | undefined {
  const [, soft, hard = soft] = /^(-1|\d+)(?::(-1|\d+))?$/.exec(text.trim()) ?? []
  if (name === '' || soft === undefined || hard === undefined) return undefined
  return { Name: name, Soft: Number(soft), Hard: Number(hard) }
}

/** Returns the object without its undefined keys, so that the engine applies its defaults. */
export function withoutAbsent<T extends object>(object: T): T {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) Reflect.deleteProperty(object, key)
  }
  return object
}
