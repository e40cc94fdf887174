import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { DeviceMapping, GpuRequest } from '../containers/device-settings.js'

/** The `[runners.docker]` keys about services and the network of a build (runner protocol, 9.4). */
export interface ServiceSettings {
  /** Started for every job, before the job's own. */
  services?: ConfiguredService[] | undefined
  /** Services of one job, those of the settings included. Absent or negative: no limit. */
  servicesLimit?: number | undefined
  /** How long services are waited for. Absent or 0: 30; negative: not at all. */
  waitForServicesSeconds?: number | undefined
  /** Doublestar globs of images. Absent or empty: all; services of the settings are always allowed. */
  allowedServices?: string[] | undefined
  /** As the job's own container when absent. */
  servicesPrivileged?: boolean | undefined
  /** Doublestar globs of images that may be privileged. Absent or empty: all. */
  allowedPrivilegedServices?: string[] | undefined
  /** Beside `no-new-privileges`; a seccomp profile is given as its JSON text. */
  servicesSecurityOpt?: string[] | undefined
  /** Path in the container to mount options. */
  servicesTmpfs?: Record<string, string> | undefined
  /** Devices by doublestar glob of the images that get them. */
  servicesDevices?: { images: string; devices: DeviceMapping[] }[] | undefined
  serviceGpus?: GpuRequest | undefined
  /** Bytes. */
  serviceMemory?: number | undefined
  /** Bytes of memory and swap together; -1 = no limit. */
  serviceMemorySwap?: number | undefined
  serviceMemoryReservation?: number | undefined
  /** Processors, fractions too. */
  serviceCpus?: number | undefined
  /** Such as `0-2,4`. */
  serviceCpusetCpus?: string | undefined
  serviceCpuShares?: number | undefined
  serviceCgroupParent?: string | undefined
  /** Bytes, for the network of a build; with it every build has one. */
  networkMtu?: number | undefined
  /** For the network of a build; with it every build has one. */
  enableIpv6?: boolean | undefined
}

/** One `[[runners.docker.services]]` table. */
export interface ConfiguredService {
  name: string
  alias: string | undefined
  command: string[] | undefined
  entrypoint: string[] | undefined
  environment: JobVariable[]
}
