import type { Logger } from '../../lib/logger.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import type { OpenDiskCleanup } from '../disk-cleanup/open-disk-cleanup.js'
import type { AutoscalerRecorder } from '../executor/docker/autoscaler/recorder.js'
import type { EngineSettings } from '../executor/docker/settings.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import type { Executor } from '../executor/executor.js'
import type { JobTimings } from '../job/job-context.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'

/** What an executor may use of the process. */
export interface ExecutorHelpers {
  /** Receives which objects of an engine jobs use. */
  usageOf?: ((engine: EngineSettings) => UsageObserver) | undefined
  /** See `CoordinatorClient.countQueued`. */
  countQueued?: ((signal: AbortSignal) => Promise<number | undefined>) | undefined
  /** Receives what happens to machines. */
  recorder?: AutoscalerRecorder | undefined
  /** Folder of the registration. It stays when the token is renewed. */
  folder?: string | undefined
  /** The executor of the registration before its settings changed. Its jobs keep it. */
  replaces?: Executor | undefined
}

/** Creates an executor. Contacts no engine. */
export type CreateExecutor = (
  registration: RunnerRegistration,
  settings: RunnerSettings,
  logger: Logger,
  helpers?: ExecutorHelpers,
) => Executor

/** Creates the parts that differ between kinds of runners. */
export interface RuntimeFactory {
  executor: CreateExecutor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  /** Prepares the machine for the first job. Called once. */
  prepareHost?(settings: RunnerSettings, logger: Logger): Promise<void>
  /** Opens the disk cleanup of the host. */
  openDiskCleanup?(settings: RunnerSettings, logger: Logger): Promise<OpenDiskCleanup>
  timings?: JobTimings
}
