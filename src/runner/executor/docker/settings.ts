import type { ServiceSettings } from './services/settings.js'

export const PULL_POLICIES = ['always', 'if-not-present', 'never'] as const
export type PullPolicy = (typeof PULL_POLICIES)[number]

/** The `[runners.docker]` keys that are supported (runner protocol, 9.4), and who the runner is. */
export interface DockerExecutorSettings extends ServiceSettings {
  /** `unix:///path` or `tcp://host:port`; `DOCKER_HOST` or the local socket when absent. */
  host?: string | undefined
  /** For jobs that name no image. */
  image: string
  /** Tried in order. Absent or empty: `always`. */
  pullPolicy?: PullPolicy[] | undefined
  /** What a job may ask for. Absent or empty: the policies of `pullPolicy`. */
  allowedPullPolicies?: PullPolicy[] | undefined
  /** Doublestar globs of images that jobs may name. Absent or empty: all; `image` is always allowed. */
  allowedImages?: string[] | undefined
  disableEntrypointOverwrite?: boolean | undefined
  privileged?: boolean | undefined
  user?: string | undefined
  /** `host:container[:mode]`, or a container path alone for a volume that lives as long as the job. */
  volumes?: string[] | undefined
  /** `512m`; suffixes b, k, m, g. */
  memory?: string | undefined
  /** Decimal number of processors. */
  cpus?: string | undefined
  /** Bytes; 0 = the engine's default. */
  shmSize?: number | undefined
  /** `bridge`, `host`, `none` or the name of a network; the engine's default when absent. */
  networkMode?: string | undefined
  /** `name:address`. */
  extraHosts?: string[] | undefined
  dns?: string[] | undefined
  dnsSearch?: string[] | undefined
  /** First characters of the runner's token, for names and labels. */
  runnerShortToken: string
  systemId: string
  /** Seconds between SIGTERM and SIGKILL for a job that is stopped. Default 10. */
  stopGraceSeconds?: number | undefined
}
