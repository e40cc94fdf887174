import type { JobImage, RegistryCredentials } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { Mount } from '../workspace/workspace.js'

/**
 * Where jobs run. One executor serves all jobs of a runner entry, several at a time.
 *
 * `prepare` makes everything a job needs before its script (image, network, container) or throws an `ExecutorError`
 * and leaves nothing behind. `run` may be called several times, one at a time: each is a new shell in the same
 * container, so that files outside the workspace survive from the script to the after-script. `cleanUp` may be
 * called at any time and more than once; it removes all that `prepare` made and does not throw for what is gone.
 */
export interface Executor {
  prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment>
  /** Removes what a killed runner of this machine left behind; called once, before the first job. */
  removeLeftovers(): Promise<void>
}

export interface JobEnvironment {
  /**
   * Runs the script file until it ends, its output written to `log.output` in the order it was printed. When `signal`
   * aborts, the processes get SIGTERM, then SIGKILL, and `run` rejects with the signal's reason once they are gone.
   * Throws an `ExecutorError` when the engine or the container breaks.
   */
  run(stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }>
  cleanUp(): Promise<void>
}

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
  /** Environment of the container, later entries already merged over earlier ones. */
  environment: Record<string, string>
  mounts: Mount[]
  workingDirectory: string
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

export interface Stage {
  name: string
  /** Path inside the container of the script to run, on one of the mounts. */
  scriptPath: string
}
