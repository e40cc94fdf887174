/** One `[[runners.autoscaler.policy]]` table: how many machines wait for jobs during its periods. */
export interface AutoscalerPolicy {
  /** Cron expressions of five fields. The policy applies during each minute that one of them names. */
  periods: readonly string[]
  /** IANA name of the time zone of the periods. */
  timezone: string
  /** Jobs for which capacity is kept free. */
  idleCount: number
  /** Milliseconds without a job after which a machine that no target needs is removed. */
  idleTime: number
  /** Free capacity as a factor of the running jobs, if that is more than `idleCount`. 0: none. */
  scaleFactor: number
  /** Maximum of that free capacity. 0: none. */
  scaleFactorLimit: number
  /** Whether jobs are requested only while a machine has room for them. */
  preemptiveMode: boolean
}

/** A program and its arguments. No shell interprets them. */
export type CommandLine = readonly [string, ...string[]]

/** `plugin = "command"`: programs of the operator that create, delete, list and connect machines. */
export interface CommandPluginSettings {
  kind: 'command'
  commands: Record<CommandAction, CommandLine>
  /** Milliseconds after which a command is killed and has failed. */
  timeouts: Record<CommandAction, number>
  /** Variables in addition to those of the runner. */
  environment: Record<string, string>
}

export const COMMAND_ACTIONS = ['create', 'delete', 'list', 'connect'] as const
export type CommandAction = (typeof COMMAND_ACTIONS)[number]

/** `plugin = "docker"`: Docker engines in namespaces of this machine, for tests and demos. */
export interface DockerPluginSettings {
  kind: 'docker'
  /** Images that each engine gets from the engine of this machine. */
  images: readonly string[]
}

export type PluginSettings = CommandPluginSettings | DockerPluginSettings

/** `[runners.autoscaler]`: machines that are created on demand. */
export interface AutoscalerSettings {
  plugin: PluginSettings
  /** Begins the names of the machines. Undefined: derived from the token and the system ID. */
  pool: string | undefined
  /** Maximum number of concurrent jobs of one machine. */
  capacityPerInstance: number
  /** Number of jobs after which a machine is removed. Infinity: no limit. */
  maxUseCount: number
  /** Maximum number of machines in any state. Infinity: no limit. */
  maxInstances: number
  /** Maximum number of machines that are created within a minute. Infinity: no limit. */
  maxCreatePerMinute: number
  /** Runs for each new machine, on this machine, until it succeeds. Undefined: an engine that responds is ready. */
  instanceReadyCommand: string | undefined
  /** Milliseconds within which a machine must be created and ready, or it is replaced. */
  instanceReadyTimeout: number
  /** Consecutive failed checks after which a machine is replaced. */
  failureThreshold: number
  /** Milliseconds between two lists of the machines, and while a change of them is expected. */
  updateInterval: number
  updateIntervalWhenExpecting: number
  /** Whether a runner that stops gracefully removes its machines. */
  deleteInstancesOnShutdown: boolean
  /** The last one whose periods contain the current minute applies. */
  policies: readonly AutoscalerPolicy[]
}
