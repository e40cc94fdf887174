import type { DeviceMapping, GpuRequest } from './containers/device-settings.js'
import type { ServiceSettings } from './services/settings.js'
import type { Volume } from './volumes/volume-entry.js'

export interface Ulimit {
  Name: string
  Soft: number
  Hard: number
}

export const PULL_POLICIES = ['always', 'if-not-present', 'never'] as const
export type PullPolicy = (typeof PULL_POLICIES)[number]

export const WORKSPACE_KINDS = ['auto', 'bind', 'volume'] as const
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number]

/** Which engine, and how it is spoken to. */
export interface EngineSettings {
  /** `unix:///path` or `tcp://host:port`; `DOCKER_HOST` or the local socket when absent. */
  host?: string | undefined
  /** Directory with `ca.pem`, `cert.pem` and `key.pem`; `DOCKER_CERT_PATH` or `~/.docker` when absent. */
  tlsCertPath?: string | undefined
  /** Whether `tcp://` means TLS. Absent: what `DOCKER_TLS_VERIFY` says, unless `host` is given. */
  tlsVerify?: boolean | undefined
}

/** Which images run, and how they are got (runner protocol, 7.5 to 7.7). */
export interface ImageSettings {
  /** For jobs that name no image. */
  image: string
  /** Tried in order. Absent or empty: `always`. */
  pullPolicy?: PullPolicy[] | undefined
  /** What a job may ask for. Absent or empty: the policies of `pullPolicy`. */
  allowedPullPolicies?: PullPolicy[] | undefined
  /** Doublestar globs of images that jobs may name. Absent or empty: all; `image` is always allowed. */
  allowedImages?: string[] | undefined
  disableEntrypointOverwrite?: boolean | undefined
  user?: string | undefined
  /** What a job may ask for. Absent or empty: anything. */
  allowedUsers?: string[] | undefined
}

/** What a container may use. Sizes are bytes; absent or 0: the engine's default. */
export interface ResourceSettings {
  /** Absent: nine tenths of the memory of the engine; 0: no limit. */
  memory?: number | undefined
  /** Memory and swap together; -1 = no limit. */
  memorySwap?: number | undefined
  memoryReservation?: number | undefined
  /** Number of processors, also in parts. */
  cpus?: number | undefined
  /** Such as `0-2,4`. */
  cpusetCpus?: string | undefined
  cpusetMems?: string | undefined
  cpuShares?: number | undefined
  cgroupParent?: string | undefined
  oomKillDisable?: boolean | undefined
  oomScoreAdjust?: number | undefined
  ulimit?: Ulimit[] | undefined
  shmSize?: number | undefined
  /** Processes and threads of each container, services too. Absent: 4096; 0 or less: no limit. */
  pidsLimit?: number | undefined
}

export interface DeviceSettings {
  gpus?: GpuRequest | undefined
  devices?: DeviceMapping[] | undefined
  /** Such as `c 1:3 mr`. */
  deviceCgroupRules?: string[] | undefined
}

/** What keeps a container from its host. Absent: as safe as it goes. */
export interface SecuritySettings {
  privileged?: boolean | undefined
  /** Doublestar globs of images that `privileged` is for. Absent or empty: all. */
  allowedPrivilegedImages?: string[] | undefined
  capAdd?: string[] | undefined
  capDrop?: string[] | undefined
  /** Beside `no-new-privileges`; a seccomp profile is given as its JSON text. */
  securityOpt?: string[] | undefined
  usernsMode?: string | undefined
  groupAdd?: string[] | undefined
  runtime?: string | undefined
  isolation?: string | undefined
  sysctls?: Record<string, string> | undefined
  pidMode?: string | undefined
  ipcmode?: string | undefined
  /** Whether number 1 in the container is an init process, which collects what scripts leave behind. Default: true. */
  init?: boolean | undefined
}

/** Runner protocol, 7.4. */
export interface VolumeSettings {
  volumes?: Volume[] | undefined
  volumesFrom?: string[] | undefined
  volumeDriver?: string | undefined
  volumeDriverOps?: Record<string, string> | undefined
  /** Whether volumes without a name outlive their container. */
  volumeKeep?: boolean | undefined
  /** Volumes of a container path alone live as long as the job. */
  disableCache?: boolean | undefined
  /** Directory of the engine's host that holds what is kept between jobs, in place of volumes. */
  cacheDir?: string | undefined
  /** Options by path in the container. */
  tmpfs?: Record<string, string> | undefined
}

export interface NetworkSettings {
  /** `bridge`, `host`, `none` or the name of a network; the engine's default when absent. */
  networkMode?: string | undefined
  hostname?: string | undefined
  macAddress?: string | undefined
  links?: string[] | undefined
  /** `name:address`. */
  extraHosts?: string[] | undefined
  dns?: string[] | undefined
  dnsSearch?: string[] | undefined
}

/** The `[runners.docker]` keys that are supported (runner protocol, 9.4), and who the runner is. */
export interface DockerExecutorSettings
  extends
    EngineSettings,
    ImageSettings,
    ResourceSettings,
    DeviceSettings,
    SecuritySettings,
    VolumeSettings,
    NetworkSettings,
    ServiceSettings {
  /** Put on containers as they are, variables in the values expanded. */
  containerLabels?: Record<string, string> | undefined
  /** First characters of the runner's token, for names and labels. */
  runnerShortToken: string
  systemId: string
  /** Of the trace of a job: how much output the engine keeps follows from it. Default: 4 MiB. */
  outputLimitBytes?: number | undefined
  /** How jobs get their files. Default: `bind`, the engine sees the directories of this machine. */
  workspace?: WorkspaceKind | undefined
  /** Directory of this machine that `auto` looks for through the engine. */
  sharedDir?: string | undefined
  /** Seconds between SIGTERM and SIGKILL for a job that is stopped. Default 10. */
  stopGraceSeconds?: number | undefined
  /** How long an engine that does not answer is waited for while a job runs. Default 120. */
  engineAwaySeconds?: number | undefined
  /** `DOCKER_AUTH_CONFIG` of the runner's own `environment` setting. */
  authConfig?: string | undefined
  /** Directory of the host where it is kept which images needed credentials; absent: it is not kept. */
  privateImagesDir?: string | undefined
}
