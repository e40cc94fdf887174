import type { Writable } from 'node:stream'

import { SwitchyardError } from '../../lib/errors.js'
import { isRecord } from '../../lib/is-record.js'
import type { FailureReason } from '../../protocol/failure-reason.js'
import type { JobImage, RegistryCredentials } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { ContainerFiles, Mount, OutputDirectory } from '../workspace/job-files.js'
import type { FileOwner } from '../workspace/workspace.js'
import type { EnvironmentHelper } from './environment-helper.js'

/**
 * Runs jobs. One executor serves all jobs of a registration, several at a time.
 *
 * `prepare` creates what the container of a job needs: image, network, services. If it fails, it throws an
 * `ExecutorError` and leaves nothing behind. `adopt` continues with what an earlier process of this runner
 * prepared. It throws an `ExecutorError` if that no longer exists, and the reason of `signal` if that aborts while the
 * engine does not respond.
 */
export interface Executor {
  prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment>
  adopt(
    job: ExecutorJob,
    record: EnvironmentRecord,
    log: JobLog,
    signal?: AbortSignal,
  ): Promise<JobEnvironment>
  /**
   * Removes what killed runners of this machine left behind, except for the jobs in `kept`. Called once, before the
   * first job.
   */
  removeLeftovers(kept: ReadonlySet<number>): Promise<void>
  /** Throws an `ExecutorError` if the engine that runs the jobs does not respond before `signal` aborts. */
  ping(signal?: AbortSignal): Promise<void>
  /**
   * Resolves when the connection to the engine ends, and when `signal` aborts. An engine that cannot report its end
   * is not noticed.
   */
  disconnected(signal: AbortSignal): Promise<void>
  /**
   * Resolves when an engine that did not respond may respond again, and when `signal` aborts. Absent if the executor
   * does not know, so that `ping` must be called from time to time.
   */
  connected?(signal: AbortSignal): Promise<void>
  /** Whether `ping` fails although nothing is wrong: no machine exists now, because none is needed. Absent means no. */
  readonly isResting?: boolean
  /**
   * Free bytes on the disk of an engine on another machine, as last measured. Undefined if it is unknown, and absent if
   * the executor does not measure it.
   */
  readonly freeDiskBytes?: number | undefined
  /** Absent if the executor itself does not limit its jobs. */
  readonly capacity?: ExecutorCapacity
  /** The machines that run the jobs, for display. Absent if there is only one. */
  hosts?(): HostView[]
  /** Must be called when no more jobs begin. Running jobs continue. */
  close?(): void
  /** Must be called when the registration has stopped permanently and no job runs. */
  end?(): Promise<void>
}

/** The number of jobs that an executor runs at once, which may change at any time. */
export interface ExecutorCapacity {
  /** Jobs at once, including those that run now. */
  readonly jobs: number
  /** Calls `listener` after each change. Returns a function that ends this. */
  onChange(listener: () => void): () => void
}

/** A machine that runs jobs of a registration, for display. */
export interface HostView {
  name: string
  /** Address of its engine. */
  address: string
  /** `unknown` until it was asked for the first time. `removed`: it is no longer offered and its last jobs run. */
  state: 'unknown' | 'online' | 'offline' | 'removed'
  /** Number of jobs that run there. */
  running: number
  /** Maximum number of jobs at once. */
  concurrent: number
  weight: number
  /** See `Executor`. */
  freeDiskBytes?: number | undefined
  /**
   * The last problem of the machine or its engine, and when it occurred, in milliseconds since 1970. Undefined if there
   * was none.
   */
  lastError: { message: string; at: number } | undefined
}

/**
 * The environment that one job runs in.
 *
 * `open` is called once and starts to create the container, unless an earlier process created it. An error of the
 * creation is thrown by the first `run` or file transfer. `run` may be called several times, one call at a time.
 * Each call starts a new shell in the same container, so files outside the workspace survive from the script to the
 * after-script. `cleanUp` may be called at any time, and more than once. It removes everything that was created for
 * the job, and does not throw for what no longer exists.
 */
export interface JobEnvironment {
  /** The owner that the files of the job should have. Undefined if it is unknown. */
  readonly owner: FileOwner | undefined
  /** The host name where the scripts run, for the log of the job. Absent if it says nothing to people. */
  readonly machine?: string | undefined
  /**
   * Copies files into the container and out of it, between `open` and `cleanUp` and while no script runs. The first
   * use creates the container. Undefined if the container mounts directories of this machine.
   */
  readonly files?: ContainerFiles | undefined
  /** Present if this process does not reach the files of the job in any way: the helper does, between `open` and `cleanUp`. */
  readonly helper?: EnvironmentHelper | undefined
  /** The current state that `adopt` needs in a later process. */
  readonly record: EnvironmentRecord
  open(place: () => ContainerWorkspace): void
  /**
   * Runs the script at `scriptPath` of the place until it ends. Its output is written to `log.output` in the order
   * in which it was printed. `beforeStart` is called when the record has all that `resume` needs, and before the
   * script starts.
   *
   * When `signal` aborts, the processes get SIGTERM, then SIGKILL. When they have ended, `run` rejects with the
   * reason of the signal. Throws an `ExecutorError` if the engine or the container fails.
   */
  run(
    stage: Stage,
    log: JobLog,
    signal: AbortSignal,
    beforeStart?: () => Promise<void>,
  ): Promise<{ exitCode: number }>
  /**
   * Continues the `run` during which the record was taken, whatever state it is in now. Writes the whole output of
   * the stage again from its first byte, then behaves like `run`.
   */
  resume(stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }>
  /** Absent if the executor cannot hold a job after its last stage, and opens no shells. */
  readonly interior?: EnvironmentInterior | undefined
  cleanUp(): Promise<void>
}

/** The inside of an environment, for people who look at it. */
export interface EnvironmentInterior {
  /** Where the job is, for its log: such as its container and its host. */
  readonly name: string
  /**
   * Keeps everything of the job until `cleanUp`, after the last `run`: runs the script at `scriptPath` of the place,
   * which must wait. May be called again, also by a later process, and does nothing while that script runs.
   */
  hold(): Promise<void>
  /** Starts a command in the environment while a script runs, or after `hold`. `signal` ends it. */
  shell(request: ShellRequest, signal: AbortSignal): Promise<Shell>
  /** Ends the commands that shells of an earlier process have left behind. Does not throw. */
  endShells(): Promise<void>
}

/** Columns and rows of a terminal. */
export interface TerminalSize {
  columns: number
  rows: number
}

export interface ShellRequest {
  command: string[]
  /** With a size, the command has a terminal, whose output is all `stdout`. */
  size: TerminalSize | undefined
}

/** A command that runs in an environment. */
export interface Shell {
  /** Its end is that of the input. */
  readonly input: Writable
  /** What the command prints, until it ends. Reading it slowly slows the command down. */
  readonly output: AsyncIterable<{ channel: 'stdout' | 'stderr'; bytes: Buffer }>
  /** Without a terminal, does nothing. */
  resize(size: TerminalSize): Promise<void>
  /** Known when the output has ended. Throws an error for the person if the environment has stopped. */
  exitCode(): Promise<number>
}

/** The JSON record of an environment. Only the executor that created it can interpret it. */
export type EnvironmentRecord = Record<string, unknown>

export interface ExecutorJob {
  jobId: number
  projectId: number
  pipelineId: number | undefined
  jobUrl: string | undefined
  sha: string
  ref: string
  /** Distinguishes concurrent jobs of one project. Part of container names (runner protocol, 7.2). */
  concurrentProjectId: number
  /** The image of the job, with variables expanded. Undefined selects the default image of the runner. */
  image: JobImage | undefined
  /** Whether the coordinator trusts the ref of the job. Absent means no. */
  isProtected?: boolean
  beforeSha?: string | undefined
  timeoutSeconds?: number | undefined
  /** Seconds that the coordinator waits for a silent runner. Undefined if it does not say. */
  leaseSeconds?: number | undefined
  /** Distinguishes concurrent jobs of one registration. */
  concurrentId?: number | undefined
  /** `DOCKER_AUTH_CONFIG` from the variables of the job: the text of a docker `config.json`. */
  authConfig?: string | undefined
  /** Credentials of the coordinator's own registries. Types other than `registry` are ignored. */
  credentials?: RegistryCredentials[]
  /** Expands variables of the job in texts of the settings. If absent, the texts stay as they are. */
  expand?: (text: string) => string
  /** The variables of the job, expanded. Absent if no executor setting refers to them. */
  values?: ReadonlyMap<string, string>
  /** In starting order. Services of the settings come first. */
  services?: ServiceRequest[] | undefined
  /** Whether the log of the job includes the output of services (`CI_DEBUG_SERVICES`). */
  showServiceLogs?: boolean | undefined
  /** Whether the job has its own network even without services (`FF_NETWORK_PER_BUILD`). */
  networkPerBuild?: boolean | undefined
}

/** A container that runs beside that of the job, with variables expanded (runner protocol, 2.9 and 7.8). */
export interface ServiceRequest {
  name: string
  /** In addition to those derived from the name. */
  aliases: string[]
  entrypoint: string[] | undefined
  command: string[] | undefined
  environment: Record<string, string>
  pullPolicy: string[] | undefined
  user: string | undefined
  platform: string | undefined
  /** Whether the service comes from the settings of the runner, not from the job. */
  isConfigured: boolean
}

/** The workspace as the container of the job sees it. */
export interface ContainerWorkspace {
  mounts: Mount[]
  workingDirectory: string
  /**
   * Path inside the container, on one of the mounts, to which the script of each stage is written before it runs.
   */
  scriptPath: string
  /** An empty directory that the container mounts, for the output of scripts. Absent if there can be none. */
  output?: OutputDirectory | undefined
  /** Environment of the container, with later entries merged over earlier ones. */
  environment: Record<string, string>
}

export interface Stage {
  name: string
}

/** Options of a job for its container (runner protocol, 2.9). */
export interface JobExecutorOptions {
  /** For example `linux/arm64`. Only for docker. */
  platform?: string
  /** Name or number, optionally followed by a colon and a group. */
  user?: string
}

const KNOWN: Record<string, readonly string[]> = { docker: ['platform', 'user'], kubernetes: ['user'] }

/**
 * Reads `executor_opts` of the image of the job or of a service, those for `executor`. Throws an `ExecutorError` for an
 * unknown option, because a job must not run without an option that it requests.
 */
export function readExecutorOptions(
  options: Record<string, unknown> | null | undefined,
  of: string,
  executor: 'docker' | 'kubernetes' = 'docker',
): JobExecutorOptions {
  for (const [executor, asked] of Object.entries(options ?? {})) {
    const known = KNOWN[executor]
    if (known === undefined || !isRecord(asked)) throw unknownOption(of, executor, Object.keys(KNOWN))
    const other = Object.keys(asked).find((key) => !known.includes(key))
    if (other !== undefined) throw unknownOption(of, `${executor}.${other}`, known)
  }
  const own = options?.[executor]
  if (!isRecord(own)) return {}
  return { ...platformOf(own, of), ...userOf(own, `${executor}.user`, of) }
}

function platformOf({ platform }: Record<string, unknown>, of: string): Pick<JobExecutorOptions, 'platform'> {
  if (platform === undefined || platform === null || platform === '') return {}
  if (typeof platform === 'string') return { platform }
  throw wrongOption(of, 'docker.platform', 'a string such as "linux/arm64"')
}

function userOf(
  { user }: Record<string, unknown>,
  name: string,
  of: string,
): Pick<JobExecutorOptions, 'user'> {
  if (user === undefined || user === null) return {}
  if (typeof user === 'string' || typeof user === 'number') return { user: String(user) }
  throw wrongOption(of, name, 'a name or a number')
}

function unknownOption(of: string, name: string, known: readonly string[]): ExecutorError {
  const message = `the ${of} of the job has the option "${name}", which this runner does not know; known options: ${known.join(', ')}`
  return new ExecutorError(message, 'runner_system_failure')
}

function wrongOption(of: string, name: string, wanted: string): ExecutorError {
  return new ExecutorError(
    `the option "${name}" of the ${of} of the job must be ${wanted}`,
    'runner_system_failure',
  )
}

/** The executor failed. `reason` is reported to the coordinator (runner protocol, 3.4). */
export class ExecutorError extends SwitchyardError {
  readonly name = 'ExecutorError'
  readonly code = 'EXECUTOR_FAILED'

  constructor(
    message: string,
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The engine of a job is lost. Nothing that is still there can be stopped or removed now. */
export class EngineLostError extends ExecutorError {
  constructor(message: string) {
    super(message, 'runner_system_failure')
  }
}
