import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { DeviceMapping, GpuRequest } from '../containers/device-settings.js'

/** The `[runners.docker]` keys for services and the network of a build (runner protocol, 9.4). */
export interface ServiceSettings {
  /** Started for every job, before the services of the job. */
  services?: ConfiguredService[] | undefined
  /** Maximum number of services of one job, including those of the settings. Absent or negative: no limit. */
  servicesLimit?: number | undefined
  /** How long to wait for services. Absent or 0: 30. Negative: not at all. */
  waitForServicesSeconds?: number | undefined
  /** Doublestar globs of images. Absent or empty: all. Services of the settings are always allowed. */
  allowedServices?: string[] | undefined
  /** Absent: like the container of the job. */
  servicesPrivileged?: boolean | undefined
  /** Doublestar globs of images that may be privileged. Absent or empty: all. */
  allowedPrivilegedServices?: string[] | undefined
  /** In addition to `no-new-privileges`. A seccomp profile is given as its JSON text. */
  servicesSecurityOpt?: string[] | undefined
  /** Mount options by path in the container. */
  servicesTmpfs?: Record<string, string> | undefined
  /** Devices by doublestar glob of the images that receive them. */
  servicesDevices?: { images: string; devices: DeviceMapping[] }[] | undefined
  serviceGpus?: GpuRequest | undefined
  /** Bytes. */
  serviceMemory?: number | undefined
  /** Memory and swap together, in bytes. -1: no limit. */
  serviceMemorySwap?: number | undefined
  serviceMemoryReservation?: number | undefined
  /** Number of processors. May be a fraction. */
  serviceCpus?: number | undefined
  /** For example `0-2,4`. */
  serviceCpusetCpus?: string | undefined
  serviceCpuShares?: number | undefined
  serviceCgroupParent?: string | undefined
  /** In bytes, for the network of a build. If set, every build has its own network. */
  networkMtu?: number | undefined
  /** For the network of a build. If set, every build has its own network. */
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
