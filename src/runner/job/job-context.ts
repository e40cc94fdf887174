import type { Logger } from '../../lib/logger.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { CacheStores } from '../cache/cache-stores.js'
import type { CoordinatorClient, JobClient, JobIdentity } from '../client/coordinator-client.js'
import type { RunnerRegistration } from '../config/settings.js'
import type { Executor, JobEnvironment } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import type { JobVariables } from '../variables/job-variables.js'
import type { JobWorkspace, WorkspaceProvider } from '../workspace/workspace.js'
import type { JobControl } from './job-control.js'
import type { ShellPlace } from './job-shells.js'
import type { JobSteps } from './job-steps.js'
import type { DamagedCaches, JobJournal } from './journal/job-journal.js'
import type { JobOutcome } from './outcome.js'
import type { RunFileStage } from './stages/file-stage.js'

/** What `runJob` needs to run the jobs of one registration. */
export interface RunJobDeps {
  registration: RunnerRegistration
  systemId: string
  client: JobClient
  executor: Executor
  workspaces: WorkspaceProvider
  caches: CacheStores
  /** Directory on the host for downloads. */
  temporaryDir: string
  logger: Logger
  timings: JobTimings
  /** Absent if ended jobs cannot be held. */
  holds?: JobHolds | undefined
  /** Called at the start of each stage. Returns a function that is called at the end of the stage. */
  enterStage?: (stage: string) => () => void
}

/** Keeps the environments of ended jobs for people who look at them. */
export interface JobHolds {
  /**
   * Whether the job is held. If so, its environment belongs to the hold, which will clean it up. The log tells what was
   * decided. Does not throw.
   */
  begin(job: EndedJob): Promise<boolean>
  /** Whether a job with these variables may be held. */
  mayHold(values: ReadonlyMap<string, string>): boolean
  /** Whether people may open shells in jobs now. */
  opensShells(): boolean
  /** Opens a shell in a running job. */
  openShell(job: JobIdentity, wanted: WantedTerminal, place: ShellPlace): void
}

/** A job whose last stage has ended. */
export interface EndedJob {
  journal: JobJournal
  outcome: JobOutcome
  environment: JobEnvironment
  /** The variables of the job. */
  values: ReadonlyMap<string, string>
  log: JobLog
  /** Writes the script that the environment runs next, and the files for people who open a shell in it. */
  writeScript: (content: string) => Promise<void>
  /** Removes the environment and the temporary files. Does not throw. */
  cleanUp: () => Promise<void>
}

/** Everything that the stages of one job use. Each stage declares the part that it needs. */
export interface JobContext {
  payload: JobPayload
  registration: RunnerRegistration
  client: Pick<
    CoordinatorClient,
    'uploadArtifact' | 'callForJob' | 'follow' | 'downloadArtifacts' | 'createRelease'
  >
  job: JobIdentity
  caches: CacheStores
  damagedCaches: DamagedCaches
  log: JobLog
  steps: JobSteps
  control: JobControl
  timings: JobTimings
  /** Directory on the host for files that live as long as a stage. */
  temporaryDir: string
  timeoutSeconds: number
  workspace: JobWorkspace
  runFileStage: RunFileStage
  variables: JobVariables
  environment: JobEnvironment
  /** Whether people may look at the environment when the job has ended. */
  mayBeHeld: boolean
}

/** Delays before retries, and timeouts, in milliseconds. */
export interface JobTimings {
  /** Delay between two attempts to prepare the executor. */
  prepareRetry: number
  /** Delay before the second attempt of a stage. Doubles on each attempt, up to 5 minutes. */
  stageRetry: number
  /** Delay before the second attempt to upload an artifact. Doubles on each attempt, up to 5 seconds. */
  uploadRetry: number
  downloadRetry: number
  /** How long a transfer of files waits for a coordinator that does not respond. */
  silenceTimeout: number
  /** Delay before the second attempt to deliver the result. Doubles on each attempt, up to 30 seconds. */
  resultRetry: number
  /** Delay before the runner tries again to deliver the results that it keeps. */
  redelivery: number
  /** Time after which the log of an unfinished stage is sent. */
  liveAfter: number
  /** Time after which the status of a job that prints nothing is requested; 3 seconds by default. */
  heartbeat?: number
}

/** From the runner protocol, 7.1, 5.1, 5.2 and 3.3. The last two values are specific to this runner. */
export const JOB_TIMINGS: JobTimings = {
  prepareRetry: 3_000,
  stageRetry: 5_000,
  uploadRetry: 1_000,
  downloadRetry: 1_000,
  silenceTimeout: 5 * 60_000,
  resultRetry: 1_000,
  redelivery: 60_000,
  liveAfter: 500,
}
