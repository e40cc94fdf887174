import type { AllowedHost } from '../../egress/egress-rules.js'
import type { JobVariable } from '../../protocol/job-payload.js'
import type { UploadTimeouts } from '../artifacts/upload-attempt.js'
import type { CacheSettings } from '../cache/cache-settings.js'
import type { TlsFiles } from '../client/http-transport.js'
import type { DockerExecutorSettings, WorkspaceKind } from '../executor/docker/settings.js'
import type { DiskSettings } from './disk-settings.js'
import type { TokenSettings } from './read-token-lifetime.js'

/** The `[runners.docker]` part of an entry. */
export type DockerSettings = Omit<
  DockerExecutorSettings,
  | 'runnerShortToken'
  | 'systemId'
  | 'stopGraceSeconds'
  | 'engineAwaySeconds'
  | 'authConfig'
  | 'outputLimitBytes'
  | 'privateImagesDir'
  | 'workspace'
  | 'sharedDir'
>

/** One `[[runners]]` entry: one registered runner. */
export interface RunnerRegistration extends TokenSettings {
  name: string
  url: string
  token: string
  tls: TlsFiles
  /** Jobs of this entry at a time; undefined = as many as the process runs. */
  limit: number | undefined
  /** Job requests that may be open at a time. */
  requestConcurrency: number
  /** Whether the pause between two requests also follows one that brought a job. */
  strictCheckInterval: boolean
  outputLimitBytes: number
  /** Refusals in a row after which the entry rests, and for how many seconds. */
  unhealthyRequestsLimit: number
  unhealthyIntervalSeconds: number
  /** Tries to hand over the result of a job. */
  finalUpdateTries: number
  /** Variables below those of the job. */
  environment: JobVariable[]
  cloneUrl: string | undefined
  /** Git directory of this machine that sources are fetched from, whatever a job says; no key of a file sets it. */
  repository?: string
  /** Root of all project directories, as jobs see it. */
  buildsDir: string | undefined
  /** Whether a job may choose its project directory (`GIT_CLONE_PATH`). */
  isClonePathAllowed: boolean
  /** In which sources are to be had, all attempts together; undefined = as long as the job may take. */
  getSourcesTimeoutSeconds: number | undefined
  /** Around the sources, in the job's container. */
  preGetSourcesScript: string | undefined
  postGetSourcesScript: string | undefined
  preBuildScript: string | undefined
  postBuildScript: string | undefined
  debugTraceDisabled: boolean
  /** Hosts of the local network that the runner connects to when a job names them. */
  allowedLocalHosts: AllowedHost[]
  /** How jobs get their files; undefined: `auto`. */
  workspace?: WorkspaceKind | undefined
  /** `[runners.artifact]`. */
  artifact: UploadTimeouts
  cache: CacheSettings
  /** How long images and the container may take; the job's own limit holds as well. */
  prepareTimeoutSeconds: number
  docker: DockerSettings
  /** Sent along with what the runner says of itself (runner protocol, 1.3). */
  labels?: Record<string, string>
}

/** Everything that the daemon needs to know. */
export interface RunnerSettings {
  /** Jobs at a time, over all entries. */
  concurrent: number
  checkIntervalSeconds: number
  shutdownTimeoutSeconds: number
  logLevel: RunnerLogLevel
  /** Undefined: `runner`. */
  logFormat?: RunnerLogFormat
  /** Directory of the host for workspaces and for traces on their way. */
  dataDir: string
  /** `[disk]`; absent = the defaults. */
  disk?: DiskSettings
  systemId: string
  /** Whether containers are kept from link-local addresses, where clouds hand out the machine's credentials. */
  blockMetadataAddresses: boolean
  /** Where the settings were read, and new tokens are written; undefined for settings without a file. */
  configFile?: string
  /** Socket that `switchyard runner status` and the like speak to; `control.sock` in the data directory by default. */
  controlSocket?: string | undefined
  /** Where metrics and health are served; undefined = nowhere. */
  listen?: ListenAddress | undefined
  runners: RunnerRegistration[]
}

export interface ListenAddress {
  /** Empty: every address of the machine. */
  host: string
  /** 0: any free one. */
  port: number
}

export const RUNNER_LOG_LEVELS = ['panic', 'fatal', 'error', 'warning', 'info', 'debug'] as const
export type RunnerLogLevel = (typeof RUNNER_LOG_LEVELS)[number]

export const RUNNER_LOG_FORMATS = ['runner', 'text', 'json'] as const
export type RunnerLogFormat = (typeof RUNNER_LOG_FORMATS)[number]

/** The documented defaults (runner protocol, 9.2 and 9.3), but for `finalUpdateTries` and `prepareTimeoutSeconds`. */
export const DEFAULTS = {
  concurrent: 1,
  checkIntervalSeconds: 3,
  shutdownTimeoutSeconds: 30,
  requestConcurrency: 1,
  outputLimitKib: 4096,
  unhealthyRequestsLimit: 3,
  unhealthyIntervalSeconds: 3600,
  /** About an hour at one try every 30 seconds: a coordinator that is away for longer loses the result. */
  finalUpdateTries: 120,
  /** A registry that does not come to an end must not hold a job's place for as long as the job may run. */
  prepareTimeoutSeconds: 15 * 60,
  uploadTimeoutSeconds: 3600,
  responseHeaderTimeoutSeconds: 600,
} as const
