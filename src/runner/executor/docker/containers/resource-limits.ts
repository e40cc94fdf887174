import type { HostConfig } from 'dockerode'

import type { ResourceSettings } from '../settings.js'
import { withoutAbsent } from './without-absent.js'

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
