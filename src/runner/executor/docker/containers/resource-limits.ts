import type { HostConfig } from 'dockerode'

import type { ResourceSettings, Ulimit } from '../settings.js'

/** Enough for large parallel builds, few enough that a fork bomb leaves the host its processes. */
const DEFAULT_PIDS = 4096

/** Processes and threads of one container; undefined = no limit. */
export function pidsLimit({
  pidsLimit = DEFAULT_PIDS,
}: Pick<ResourceSettings, 'pidsLimit'>): number | undefined {
  return pidsLimit > 0 ? pidsLimit : undefined
}

/** What a container may use, as the engine wants it; what is not limited is left out. */
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

const DEFAULT_OUTPUT_LIMIT = 4 * 1024 * 1024
/**
 * Bytes of the engine's log for a byte of output, at worst: each line of the driver `local` has some thirty bytes beside
 * its text.
 */
const OVERHEAD = 32

/**
 * Where the output of a job stays with the engine until the container is removed: the runner that is started again reads
 * it from its beginning. No output is lost before there is more of it than a trace may have (`output_limit`); beyond, the
 * engine drops the oldest, so that a job cannot fill the disk by printing. (`json-file` is slower and replaces bytes that
 * are not UTF-8.) One file alone: a reader never meets the change from one file to the next.
 */
export function jobLogConfig(outputLimitBytes = DEFAULT_OUTPUT_LIMIT): NonNullable<HostConfig['LogConfig']> {
  const kibibytes = Math.ceil((outputLimitBytes * OVERHEAD) / 1024)
  return {
    Type: 'local',
    Config: { 'max-size': `${kibibytes}k`, 'max-file': '1', compress: 'false' },
  }
}

/** Of services: their last lines are shown when they fail, all of them with `CI_DEBUG_SERVICES` as they are printed. */
export const SERVICE_LOG_CONFIG = {
  Type: 'json-file',
  Config: { 'max-size': '16m', 'max-file': '2' },
} satisfies NonNullable<HostConfig['LogConfig']>

/** `1024:2048`, soft and hard, or one number for both; -1 = no limit (runner protocol, 9.4). */
export function parseUlimit(name: string, text: string): Ulimit | undefined {
  const [, soft, hard = soft] = /^(-1|\d+)(?::(-1|\d+))?$/.exec(text.trim()) ?? []
  if (name === '' || soft === undefined || hard === undefined) return undefined
  return { Name: name, Soft: Number(soft), Hard: Number(hard) }
}

/** The object without the keys that hold nothing: the engine has a default for what it is not told. */
export function withoutAbsent<T extends object>(object: T): T {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) Reflect.deleteProperty(object, key)
  }
  return object
}
