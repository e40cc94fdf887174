import type { Logger } from '../../lib/logger.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { CacheStores } from '../cache/cache-stores.js'
import type { CoordinatorClient, JobClient, JobIdentity } from '../client/coordinator-client.js'
import type { RunnerRegistration } from '../config/settings.js'
import type { Executor, JobEnvironment } from '../executor/executor.js'
import type { JobLog } from '../trace/job-log.js'
import type { JobVariables } from '../variables/job-variables.js'
import type { Workspace, WorkspaceProvider } from '../workspace/workspace.js'
import type { JobControl } from './job-control.js'
import type { JobSteps } from './job-steps.js'
import type { DamagedCaches } from './journal/job-journal.js'

/** What runs the jobs of one registration. */
export interface RunJobDeps {
  entry: RunnerRegistration
  systemId: string
  client: JobClient
  executor: Executor
  workspaces: WorkspaceProvider
  caches: CacheStores
  /** Directory of the host for downloads. */
  temporaryDir: string
  logger: Logger
  timings: JobTimings
  /** Hears of each stage of the job; its answer is called when the stage ends. */
  enterStage?: (stage: string) => () => void
}

/** What the stages of one job work with; each takes the part of it that it needs. */
export interface JobContext {
  payload: JobPayload
  entry: RunnerRegistration
  client: Pick<CoordinatorClient, 'uploadArtifact' | 'callForJob' | 'downloadArtifacts' | 'createRelease'>
  job: JobIdentity
  caches: CacheStores
  damagedCaches: DamagedCaches
  log: JobLog
  steps: JobSteps
  control: JobControl
  timings: JobTimings
  /** Directory of the host for files that live as long as a stage. */
  temporaryDir: string
  timeoutSeconds: number
  workspace: Workspace
  variables: JobVariables
  environment: JobEnvironment
}

/** Milliseconds before things are tried again. */
export interface JobTimings {
  /** Between two tries to prepare the executor. */
  prepareRetry: number
  /** Before the second try of a stage; doubled up to 5 minutes. */
  stageRetry: number
  /** Before the second upload of an artifact; doubled up to 5 seconds. */
  uploadRetry: number
  downloadRetry: number
  /** How long a coordinator that does not answer is waited for with files on their way. */
  patience: number
  /** Before the second try to hand over the result; doubled up to 30 seconds. */
  resultRetry: number
  /** Before results that could not be handed over are tried again. */
  redelivery: number
  /** After which a stage that is not done is shown in the log. */
  liveAfter: number
}

/** Runner protocol, 7.1, 5.1, 5.2 and 3.3; the last two are our own. */
export const JOB_TIMINGS: JobTimings = {
  prepareRetry: 3_000,
  stageRetry: 5_000,
  uploadRetry: 1_000,
  downloadRetry: 1_000,
  patience: 5 * 60_000,
  resultRetry: 1_000,
  redelivery: 60_000,
  liveAfter: 500,
}
