import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import type { EngineCapabilities } from '../../../../src/runner/executor/docker/capabilities/capabilities.js'
import type { Image } from './images.js'
import type { RowScene } from './scene.js'

/** What jobs run on: a file in `targets` and a test file for each. */
export type TargetName =
  | 'docker'
  | 'docker-volume'
  | 'podman'
  | 'podman-rootless'
  | 'docker-rootless'
  | 'docker-hosts-unix'
  | 'docker-hosts-tls'
  | 'docker-hosts-ssh'
  | 'docker-autoscaler'
  | 'kubernetes'

/** Keys and values of a settings file. */
export type SettingsTable = Record<string, unknown>

/** One behaviour of the executor, shown by whole jobs. It holds for every target that `except` does not name. */
export interface Row {
  /** A sentence about a job. */
  behaviour: string
  /** Whether Docker shows it at each push, not only at night. */
  isQuick?: boolean
  /** Whether the runner is a process of its own, which `during` can kill. */
  isProcess?: boolean
  /** Images in addition to that of the job. */
  uses?: readonly Image[]
  /** Settings in `[[runners]]` and `[runners.docker]` that differ from those of the target. */
  runner?: SettingsTable
  docker?: SettingsTable
  /** Settings in `[runners.kubernetes]`, in place of those in `docker`. */
  kubernetes?: SettingsTable
  /** A shell script whose result is committed. Without it, the jobs get no sources. */
  sources?: string
  /** In order. A job is offered when the one before has ended. */
  jobs: readonly RowJob[]
  /** What it needs of the engine, and why it does not hold without it. */
  needs?: { can: (engine: EngineCapabilities) => boolean; otherwise: string }
  /** Why it does not hold for a target. */
  except?: Partial<Record<TargetName, string>>
}

export interface RowJob extends Partial<JobPayload> {
  /** Called before the job is offered. */
  prepare?: (scene: RowScene) => void
  /** Called when the job is offered. */
  during?: (scene: RowScene) => Promise<void>
  expected: Expected
}

export interface Expected {
  state: 'success' | 'failed'
  reason?: string
  exitCode?: number
  /** What the log contains, and does not contain. */
  log?: readonly (string | RegExp)[]
  notInLog?: readonly (string | RegExp)[]
  /** The whole artifact archive: content by name. A link is `-> target`, a directory ends in `/` and is empty. */
  artifact?: Record<string, string>
  /** Whatever else. `log` is without the escape sequences of the runner. */
  also?: (result: { log: string; scene: RowScene }) => Promise<void> | void
}

/** The script of a job, in the form of the protocol. */
export function script(...commands: string[]): NonNullable<JobPayload['steps']>[number] {
  return { name: 'script', script: commands }
}

export function afterScript(...commands: string[]): NonNullable<JobPayload['steps']>[number] {
  return { name: 'after_script', script: commands }
}
