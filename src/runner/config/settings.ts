import type { AllowedHost } from '../../egress/egress-rules.js'
import type { JobVariable } from '../../protocol/job-payload.js'
import type { UploadTimeouts } from '../artifacts/upload-attempt.js'
import type { CacheSettings } from '../cache/cache-settings.js'
import type { TlsFiles } from '../client/http-transport.js'
import type { AutoscalerSettings } from '../executor/docker/autoscaler/model/settings.js'
import type { DockerHost } from '../executor/docker/hosts/host-source.js'
import type { DockerExecutorSettings, ScriptOutput, WorkspaceKind } from '../executor/docker/settings.js'
import type { KubernetesSettings } from '../executor/kubernetes/settings.js'
import type { DiskSettings } from './disk-settings.js'
import type { ExecutorName } from './executor-names.js'
import type { HoldSettings } from './hold-settings.js'
import type { TokenSettings } from './read-token-lifetime.js'

/** The `[runners.docker]` part of a registration. */
export type DockerSettings = Omit<
  DockerExecutorSettings,
  | 'runnerShortToken'
  | 'systemId'
  | 'stopGraceSeconds'
  | 'authConfig'
  | 'outputLimitBytes'
  | 'privateImagesDir'
  | 'workspace'
  | 'scriptOutput'
  | 'sharedDir'
>

/** One `[[runners]]` table: one registered runner. */
export interface RunnerRegistration extends TokenSettings {
  name: string
  url: string
  token: string
  tls: TlsFiles
  /** Maximum number of concurrent jobs of this registration. Undefined means as many as the process runs. */
  limit: number | undefined
  /** Maximum number of concurrent job requests. */
  requestConcurrency: number
  /** Whether the pause between two requests also follows a request that returned a job. */
  strictCheckInterval: boolean
  outputLimitBytes: number
  /** Number of consecutive refusals after which the registration pauses, and the length of the pause in seconds. */
  unhealthyRequestsLimit: number
  unhealthyIntervalSeconds: number
  /** Number of attempts to deliver the result of a job. */
  finalUpdateTries: number
  /** Variables that those of the job override. */
  environment: JobVariable[]
  cloneUrl: string | undefined
  /**
   * Git directory on this machine from which sources are fetched, whatever the job names. No key of the file sets
   * it.
   */
  repository?: string
  /** Root of all project directories inside the container. */
  buildsDir: string | undefined
  /** Whether a job may set its project directory (`GIT_CLONE_PATH`). */
  isClonePathAllowed: boolean
  /**
   * Limit for fetching the sources, including all attempts. Undefined means that only the limit of the job applies.
   */
  getSourcesTimeoutSeconds: number | undefined
  /** Runs before the sources are fetched, in the container of the job. */
  preGetSourcesScript: string | undefined
  postGetSourcesScript: string | undefined
  preBuildScript: string | undefined
  postBuildScript: string | undefined
  debugTraceDisabled: boolean
  /** Hosts in the local network that the runner may connect to if a job names them. */
  allowedLocalHosts: AllowedHost[]
  /** How jobs access their files. Undefined: `auto`. */
  workspace?: WorkspaceKind | undefined
  /** Where scripts write. Absent: `auto`. */
  scriptOutput?: ScriptOutput | undefined
  /** `[runners.artifact]`. */
  artifact: UploadTimeouts
  cache: CacheSettings
  /** Limit for preparing images and the container. The limit of the job applies too. */
  prepareTimeoutSeconds: number
  /** Absent: `docker`. */
  executor?: ExecutorName | undefined
  /** `[runners.docker]`: absent for the executor `kubernetes`. */
  docker?: DockerSettings | undefined
  /** `[runners.kubernetes]`: the cluster and the pods of the executor `kubernetes`. */
  kubernetes?: KubernetesSettings | undefined
  /** `[runners.autoscaler]`: the machines of the executor `docker-autoscaler`. */
  autoscaler?: AutoscalerSettings | undefined
  /** `[[runners.docker_hosts]]`: the engines of the executor `docker-hosts`. */
  dockerHosts?: DockerHost[] | undefined
  /** Sent with the runner information (runner protocol, 1.3). */
  labels?: Record<string, string>
}

/** All settings of the daemon. */
export interface RunnerSettings {
  /** Maximum number of concurrent jobs of all registrations. */
  concurrent: number
  checkIntervalSeconds: number
  shutdownTimeoutSeconds: number
  logLevel: RunnerLogLevel
  /** Undefined: `runner`. */
  logFormat?: RunnerLogFormat
  /** Directory on the host for workspaces and for logs that are being sent. */
  dataDir: string
  /** `[disk]`. Absent: the defaults. */
  disk?: DiskSettings
  /** `[hold]`. Absent: the defaults. */
  hold?: HoldSettings
  /** `[terminal] enabled`: whether people may open shells in jobs. Absent: no. */
  areTerminalsEnabled?: boolean
  systemId: string
  /**
   * Whether containers are denied access to link-local addresses, where clouds serve the credentials of the
   * machine.
   */
  blockMetadataAddresses: boolean
  /**
   * The file that the settings were read from, and that new tokens are written to. Undefined for settings without a
   * file.
   */
  configFile?: string
  /** Socket for commands such as `switchyard runner status`. Default: `control.sock` in the data directory. */
  controlSocket?: string | undefined
  /** Address at which metrics and health are served. Undefined: they are not served. */
  listen?: ListenAddress | undefined
  runners: RunnerRegistration[]
}

export interface ListenAddress {
  /** Empty: all addresses of the machine. */
  host: string
  /** 0: any free port. */
  port: number
}

export const RUNNER_LOG_LEVELS = ['panic', 'fatal', 'error', 'warning', 'info', 'debug'] as const
export type RunnerLogLevel = (typeof RUNNER_LOG_LEVELS)[number]

export const RUNNER_LOG_FORMATS = ['runner', 'text', 'json'] as const
export type RunnerLogFormat = (typeof RUNNER_LOG_FORMATS)[number]

/**
 * The documented defaults (runner protocol, 9.2 and 9.3), except for `finalUpdateTries` and
 * `prepareTimeoutSeconds`.
 */
export const DEFAULTS = {
  concurrent: 1,
  checkIntervalSeconds: 3,
  shutdownTimeoutSeconds: 30,
  requestConcurrency: 1,
  outputLimitKib: 4096,
  unhealthyRequestsLimit: 3,
  unhealthyIntervalSeconds: 3600,
  /**
   * About an hour at one attempt every 30 seconds. If a coordinator is unavailable for longer, the result is lost.
   */
  finalUpdateTries: 120,
  /** A registry that never finishes must not occupy a job slot until the timeout of the job. */
  prepareTimeoutSeconds: 15 * 60,
  uploadTimeoutSeconds: 3600,
  responseHeaderTimeoutSeconds: 600,
} as const
