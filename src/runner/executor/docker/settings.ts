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

export const SCRIPT_OUTPUTS = ['auto', 'engine'] as const
export type ScriptOutput = (typeof SCRIPT_OUTPUTS)[number]

/** The address of the engine and how to connect to it. */
export interface EngineSettings {
  /** `unix:///path`, `tcp://host:port` or `ssh://user@host`. If absent: `DOCKER_HOST`, or the local socket. */
  host?: string | undefined
  /** Directory with `ca.pem`, `cert.pem` and `key.pem`. If absent: `DOCKER_CERT_PATH`, or `~/.docker`. */
  tlsCertPath?: string | undefined
  /** Whether `tcp://` uses TLS. If absent, `DOCKER_TLS_VERIFY` decides, unless `host` is given. */
  tlsVerify?: boolean | undefined
  /** Private key for `ssh://`. If absent, ssh finds one: the agent, or the files in its settings. */
  sshKeyFile?: string | undefined
  /** Whether its containers are in networks that this machine does not reach, although its socket is here. */
  hasSeparateNetworks?: boolean | undefined
}

/** Which images may run, and how they are obtained (runner protocol, 7.5 to 7.7). */
export interface ImageSettings {
  /** For jobs that do not name an image. */
  image: string
  /** Tried in order. Absent or empty: `always`. */
  pullPolicy?: PullPolicy[] | undefined
  /** Policies that a job may request. Absent or empty: those of `pullPolicy`. */
  allowedPullPolicies?: PullPolicy[] | undefined
  /** Doublestar globs of images that jobs may use. Absent or empty: all. `image` is always allowed. */
  allowedImages?: string[] | undefined
  disableEntrypointOverwrite?: boolean | undefined
  user?: string | undefined
  /** Users that a job may request. Absent or empty: all. */
  allowedUsers?: string[] | undefined
}

/** Resource limits of a container. Sizes are in bytes. Absent or 0: the engine's default. */
export interface ResourceSettings {
  /** Absent: nine tenths of the engine's memory. 0: no limit. */
  memory?: number | undefined
  /** Memory and swap together. -1: no limit. */
  memorySwap?: number | undefined
  memoryReservation?: number | undefined
  /** Number of processors. May be a fraction. */
  cpus?: number | undefined
  /** For example `0-2,4`. */
  cpusetCpus?: string | undefined
  cpusetMems?: string | undefined
  cpuShares?: number | undefined
  cgroupParent?: string | undefined
  oomKillDisable?: boolean | undefined
  oomScoreAdjust?: number | undefined
  ulimit?: Ulimit[] | undefined
  shmSize?: number | undefined
  /**
   * Maximum number of processes and threads of each container, including services. Absent: 4096. 0 or less: no
   * limit.
   */
  pidsLimit?: number | undefined
}

export interface DeviceSettings {
  gpus?: GpuRequest | undefined
  devices?: DeviceMapping[] | undefined
  /** For example `c 1:3 mr`. */
  deviceCgroupRules?: string[] | undefined
}

/** Settings that isolate a container from its host. Absent settings select the safest value. */
export interface SecuritySettings {
  privileged?: boolean | undefined
  /** Doublestar globs of images to which `privileged` applies. Absent or empty: all. */
  allowedPrivilegedImages?: string[] | undefined
  capAdd?: string[] | undefined
  capDrop?: string[] | undefined
  /** In addition to `no-new-privileges`. A seccomp profile is given as its JSON text. */
  securityOpt?: string[] | undefined
  usernsMode?: string | undefined
  groupAdd?: string[] | undefined
  runtime?: string | undefined
  isolation?: string | undefined
  sysctls?: Record<string, string> | undefined
  pidMode?: string | undefined
  ipcmode?: string | undefined
  /**
   * Whether process 1 of the container is an init process, which reaps orphaned processes of scripts. Default:
   * true.
   */
  init?: boolean | undefined
}

/** Runner protocol, 7.4. */
export interface VolumeSettings {
  volumes?: Volume[] | undefined
  volumesFrom?: string[] | undefined
  volumeDriver?: string | undefined
  volumeDriverOps?: Record<string, string> | undefined
  /** Whether anonymous volumes outlive their container. */
  volumeKeep?: boolean | undefined
  /** Whether volumes that are given as a container path only are removed with the job. */
  disableCache?: boolean | undefined
  /** Directory on the engine's host for the files that are kept between jobs, used in place of volumes. */
  cacheDir?: string | undefined
  /** Mount options by path in the container. */
  tmpfs?: Record<string, string> | undefined
}

export interface NetworkSettings {
  /** `bridge`, `host`, `none` or the name of a network. Absent: the engine's default. */
  networkMode?: string | undefined
  hostname?: string | undefined
  macAddress?: string | undefined
  links?: string[] | undefined
  /** `name:address`. */
  extraHosts?: string[] | undefined
  dns?: string[] | undefined
  dnsSearch?: string[] | undefined
}

/** The supported `[runners.docker]` keys (runner protocol, 9.4), and the identity of the runner. */
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
  /** Set on containers as given, with variables in the values expanded. */
  containerLabels?: Record<string, string> | undefined
  /** First characters of the token of the runner, for names and labels. */
  runnerShortToken: string
  systemId: string
  /** Size limit of a job log. It determines how much output the engine keeps. Default: 4 MiB. */
  outputLimitBytes?: number | undefined
  /**
   * How jobs access their files. Default: `bind`, which means that the engine sees the directories of this machine.
   */
  workspace?: WorkspaceKind | undefined
  /** Where scripts write: into files that the runner reads, or to the engine. Default: `auto`, files if possible. */
  scriptOutput?: ScriptOutput | undefined
  /** Directory of this machine that `auto` tries to find through the engine. */
  sharedDir?: string | undefined
  /** Seconds between SIGTERM and SIGKILL for a job that is stopped. Default: 10. */
  stopGraceSeconds?: number | undefined
  /**
   * Seconds that a running job waits for an engine that does not respond. Default: as long as the coordinator waits for
   * the runner.
   */
  engineAwaySeconds?: number | undefined
  /** `DOCKER_AUTH_CONFIG` in the `environment` setting of the runner. */
  authConfig?: string | undefined
  /** Directory on the host that stores which images needed credentials. Absent: this is not stored. */
  privateImagesDir?: string | undefined
}
