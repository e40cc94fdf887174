import type { JobImage, RegistryCredentials } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { ContainerFiles, FileOwner, Mount } from '../workspace/workspace.js'

/**
 * Where jobs run. One executor serves all jobs of a runner entry, several at a time.
 *
 * `prepare` makes what stands around a job's container (image, network, services) or throws an `ExecutorError` and
 * leaves nothing behind. `adopt` takes up what an earlier process of this runner prepared; it throws an
 * `ExecutorError` when that is gone.
 */
export interface Executor {
  prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment>
  adopt(job: ExecutorJob, record: EnvironmentRecord, log: JobLog): Promise<JobEnvironment>
  /**
   * Removes what killed runners of this machine left behind, except what belongs to the jobs of `kept`. Called once,
   * before the first job.
   */
  removeLeftovers(kept: ReadonlySet<number>): Promise<void>
  /** Throws an `ExecutorError` when the place where jobs run does not answer. */
  ping(): Promise<void>
}

/**
 * What one job runs in. `open` is called once and begins to make the container, unless an earlier process did; the first
 * `run` or transfer of files throws what is wrong with it. `run` may be called several times, one at a time: each is a
 * new shell in the same container, so that files outside the workspace survive from the script to the after-script.
 * `cleanUp` may be called at any time and more than once; it removes all that was made for the job and does not throw for
 * what is gone.
 */
export interface JobEnvironment {
  /** Whom the files of the job should belong to; undefined when that cannot be told. */
  readonly owner: FileOwner | undefined
  /**
   * How files get into the job's container and out again, between `open` and `cleanUp` and while nothing runs; undefined
   * when the container sees the directories of this machine. The first use makes the container.
   */
  readonly files?: ContainerFiles | undefined
  /** What `adopt` needs in a later process, as it is now. */
  readonly record: EnvironmentRecord
  open(place: () => ContainerPlace): void
  /**
   * Runs the script at the place's `scriptPath` until it ends, its output written to `log.output` in the order it was
   * printed. `beforeStart` is called when all is known that `resume` would need, and nothing has begun. When `signal`
   * aborts, the processes get SIGTERM, then SIGKILL, and `run` rejects with the signal's reason once they are gone.
   * Throws an `ExecutorError` when the engine or the container breaks.
   */
  run(
    stage: Stage,
    log: JobLog,
    signal: AbortSignal,
    beforeStart?: () => Promise<void>,
  ): Promise<{ exitCode: number }>
  /**
   * Goes on with the `run` that the record was taken in, in whichever state it is by now: its whole output is written
   * once more, from the first byte of the stage, and then as `run` does.
   */
  resume(stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }>
  cleanUp(): Promise<void>
}

/** Of an environment, in JSON. Its meaning is its executor's own. */
export type EnvironmentRecord = Record<string, unknown>

export interface ExecutorJob {
  jobId: number
  projectId: number
  pipelineId: number | undefined
  jobUrl: string | undefined
  sha: string
  ref: string
  /** Distinguishes running jobs of one project; part of names (runner protocol, 7.2). */
  concurrentProjectId: number
  /** The job's image, variables expanded; undefined = the runner's own. */
  image: JobImage | undefined
  /** Whether the coordinator trusts the job's ref; absent = no. */
  isProtected?: boolean
  beforeSha?: string | undefined
  timeoutSeconds?: number | undefined
  /** Distinguishes running jobs of one runner entry. */
  concurrentId?: number | undefined
  /** `DOCKER_AUTH_CONFIG` of the job's variables: the text of a docker `config.json`. */
  authConfig?: string | undefined
  /** What the coordinator gives for its own registries; types other than `registry` are passed over. */
  credentials?: RegistryCredentials[]
  /** Replaces references to the job's variables, for texts of the settings; absent = they stay as they are. */
  expand?: (text: string) => string
  /** In the order of starting, those of the settings first. */
  services?: ServiceRequest[] | undefined
  /** Whether the output of services goes to the log of the job (`CI_DEBUG_SERVICES`). */
  showServiceLogs?: boolean | undefined
  /** Whether the job has a network of its own even without services (`FF_NETWORK_PER_BUILD`). */
  networkPerBuild?: boolean | undefined
}

/** A container beside the job's, variables expanded (runner protocol, 2.9 and 7.8). */
export interface ServiceRequest {
  name: string
  /** Beside those that the name gives. */
  aliases: string[]
  entrypoint: string[] | undefined
  command: string[] | undefined
  environment: Record<string, string>
  pullPolicy: string[] | undefined
  user: string | undefined
  platform: string | undefined
  /** Whether the settings of the runner ask for it, not the job. */
  isConfigured: boolean
}

/** What a job's container sees of the workspace. */
export interface ContainerPlace {
  mounts: Mount[]
  workingDirectory: string
  /** Path inside the container, on one of the mounts, where the script of each stage is put before it runs. */
  scriptPath: string
  /** Environment of the container, later entries already merged over earlier ones. */
  environment: Record<string, string>
}

export interface Stage {
  name: string
}
