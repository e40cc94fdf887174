import { join } from 'node:path'

import { createLogger, type Logger } from '../../src/lib/logger.js'
import type { RunnerRegistration, RunnerSettings } from '../../src/runner/config/settings.js'
import type { JobTimings } from '../../src/runner/job/job-context.js'
import { type Runner, startRunner } from '../../src/runner/runner.js'
import { onFinished } from './lifetime.js'
import { LocalExecutor, LocalWorkspaces } from './local-executor.js'
import { MisbehavingCoordinator } from './misbehaving-coordinator.js'
import { QUICK_TIMINGS } from './quick-timings.js'
import { tempDir } from './temp-dir.js'

export interface RunnerUnderTest {
  coordinator: MisbehavingCoordinator
  executor: LocalExecutor
  workspaces: LocalWorkspaces
  runner: Runner
  settings: RunnerSettings
  directory: string
}

/**
 * A runner with a scripted coordinator, and jobs on this machine; stopped when the test has finished. One that
 * comes `after` another has its coordinator and its data.
 */
export async function runnerUnderTest(
  changes: {
    registration?: Partial<RunnerRegistration>
    settings?: Partial<RunnerSettings>
    after?: Pick<RunnerUnderTest, 'directory' | 'coordinator'>
    /** Before the runner starts. */
    prepare?: (coordinator: MisbehavingCoordinator) => Promise<void>
    logger?: Logger
    timings?: Partial<JobTimings>
    prepareExecutor?: (executor: LocalExecutor) => void
  } = {},
): Promise<RunnerUnderTest> {
  const { directory, coordinator } = changes.after ?? (await freshSurroundings())
  await changes.prepare?.(coordinator)
  const executor = new LocalExecutor()
  changes.prepareExecutor?.(executor)
  const workspaces = new LocalWorkspaces(join(directory, 'builds'))
  const settings: RunnerSettings = {
    concurrent: 1,
    checkIntervalSeconds: 0.02,
    shutdownTimeoutSeconds: 30,
    logLevel: 'info',
    dataDir: join(directory, 'data'),
    systemId: 's_0123456789ab',
    blockMetadataAddresses: false,
    runners: [runnerRegistration(coordinator.url, changes.registration)],
    ...changes.settings,
  }
  const runner = await startRunner(settings, changes.logger ?? createLogger('runner', 'silent'), {
    executor: () => executor,
    workspaces: () => workspaces,
    timings: { ...QUICK_TIMINGS, ...changes.timings },
  })
  onFinished(() => runner.stopNow('end of the test'))
  return { coordinator, executor, workspaces, runner, settings, directory }
}

async function freshSurroundings() {
  const directory = await tempDir()
  const coordinator = await MisbehavingCoordinator.start()
  onFinished(() => coordinator.stop())
  return { directory, coordinator }
}

export function runnerRegistration(
  url: string,
  changes: Partial<RunnerRegistration> = {},
): RunnerRegistration {
  return {
    name: 'tester',
    url,
    token: 'glrt-runner-token',
    tls: {},
    limit: undefined,
    requestConcurrency: 1,
    strictCheckInterval: false,
    outputLimitBytes: 4096 * 1024,
    unhealthyRequestsLimit: 3,
    unhealthyIntervalSeconds: 3600,
    finalUpdateTries: 20,
    environment: [],
    cloneUrl: undefined,
    buildsDir: undefined,
    isClonePathAllowed: true,
    getSourcesTimeoutSeconds: undefined,
    preGetSourcesScript: undefined,
    postGetSourcesScript: undefined,
    preBuildScript: undefined,
    postBuildScript: undefined,
    debugTraceDisabled: false,
    allowedLocalHosts: [],
    artifact: { uploadTimeoutSeconds: 3600, responseHeaderTimeoutSeconds: 600 },
    cache: { kind: 'automatic', maximumUploadBytes: 0 },
    prepareTimeoutSeconds: 900,
    docker: { image: 'busybox' },
    ...changes,
  }
}
