import type { Logger } from '../../lib/logger.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import type { OpenDiskCleanup } from '../disk-cleanup/open-disk-cleanup.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import type { Executor } from '../executor/executor.js'
import type { JobTimings } from '../job/job-context.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'

/** Creates the parts that differ between kinds of runners. */
export interface RuntimeFactory {
  executor(
    registration: RunnerRegistration,
    settings: RunnerSettings,
    logger: Logger,
    usage?: UsageObserver,
  ): Executor
  workspaces(folder: string, logger: Logger): WorkspaceProvider
  /** Prepares the machine for the first job. Called once. */
  prepareHost?(settings: RunnerSettings, logger: Logger): Promise<void>
  /** Opens the disk cleanup of the host. */
  openDiskCleanup?(settings: RunnerSettings, logger: Logger): Promise<OpenDiskCleanup>
  timings?: JobTimings
}
