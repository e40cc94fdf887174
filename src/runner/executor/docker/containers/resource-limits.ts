import type { HostConfig } from 'dockerode'

import type { ResourceSettings } from '../settings.js'
import { withoutAbsent } from './without-absent.js'

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
    Ulimits: settings.ulimit,
    ShmSize: settings.shmSize || undefined,
  })
}
