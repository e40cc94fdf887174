import { basename, join } from 'node:path'

import type { Logger } from '../../lib/logger.js'
import { SettingsError } from '../client/errors.js'
import { shortToken } from '../client/runner-info.js'
import { enginesOf } from '../config/engines-of.js'
import type { ExecutorName } from '../config/executor-names.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import { AutoscaledExecutor } from '../executor/docker/autoscaler/autoscaled-executor.js'
import { LateAutoscaler } from '../executor/docker/autoscaler/late-autoscaler.js'
import { defaultPool } from '../executor/docker/autoscaler/model/pool-names.js'
import { NO_AUTOSCALER_RECORDER } from '../executor/docker/autoscaler/recorder.js'
import { isEngineLocal } from '../executor/docker/connect-engine.js'
import { createDockerExecutor } from '../executor/docker/docker-executor.js'
import { configuredHosts } from '../executor/docker/hosts/configured-hosts.js'
import { PoolExecutor } from '../executor/docker/hosts/pool-executor.js'
import type { DockerExecutorSettings, EngineSettings } from '../executor/docker/settings.js'
import type { Executor } from '../executor/executor.js'
import { workspaceLayout } from '../workspace/layout.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import type { CreateExecutor, ExecutorHelpers, RuntimeFactory } from './runtime-factory.js'

/**
 * Runs jobs in containers. Their files are in folders of this machine, or in volumes if the engine does not see the
 * folders.
 */
export const DOCKER_RUNTIME: RuntimeFactory = {
  executor: (registration, ...others) =>
    EXECUTOR_FACTORIES[registration.executor ?? 'docker'](registration, ...others),
  openDiskCleanup: async (settings, logger) =>
    (await import('../disk-cleanup/open-disk-cleanup.js')).openDiskCleanup(settings, logger),
  prepareHost: prepareDockerHost,
  workspaces: (root) =>
    lateWorkspaces(
      (request) => workspaceLayout(root, request),
      async () => {
        const { createWorkspaceProvider } = await import('../workspace/workspace-provider.js')
        return createWorkspaceProvider({ root })
      },
    ),
}

/** How the executor of each name is created. */
const EXECUTOR_FACTORIES: Record<ExecutorName, CreateExecutor> = {
  docker: (registration, settings, logger, helpers) =>
    createEngineExecutor(registration, settings, logger, helpers, registration.docker),
  'docker-hosts': (registration, settings, logger, helpers = {}) =>
    new PoolExecutor({
      source: configuredHosts(registration.dockerHosts ?? []),
      executorFor: ({ engine }) => createEngineExecutor(registration, settings, logger, helpers, engine),
      loads: helpers.replaces instanceof PoolExecutor ? helpers.replaces.loads : undefined,
      engineAwaySeconds: registration.docker.engineAwaySeconds,
      logger,
    }),
  'docker-autoscaler': createAutoscaledExecutor,
}

/** The machines, and what is known of them, stay when the settings change. */
function createAutoscaledExecutor(
  registration: RunnerRegistration,
  settings: RunnerSettings,
  logger: Logger,
  helpers: ExecutorHelpers = {},
): Executor {
  const before = helpers.replaces instanceof AutoscaledExecutor ? helpers.replaces : undefined
  const source = before?.autoscaler ?? createAutoscaler(registration, settings, logger, helpers)
  if (registration.autoscaler) {
    const maxJobs = Math.min(settings.concurrent, registration.limit ?? Infinity)
    const { countQueued = async () => undefined } = helpers
    source.apply({ settings: registration.autoscaler, maxJobs, countQueued })
  }
  return new AutoscaledExecutor({
    source,
    executorFor: ({ engine }) => createEngineExecutor(registration, settings, logger, helpers, engine),
    loads: before?.loads,
    engineAwaySeconds: registration.docker.engineAwaySeconds,
    logger,
  })
}

function createAutoscaler(
  { autoscaler, url, token }: RunnerRegistration,
  { dataDir, systemId, checkIntervalSeconds }: RunnerSettings,
  logger: Logger,
  { folder, recorder = NO_AUTOSCALER_RECORDER }: ExecutorHelpers,
): LateAutoscaler {
  if (!autoscaler) throw new SettingsError('runners.autoscaler', ['is missing'])
  const pool =
    autoscaler.pool ?? defaultPool(folder === undefined ? `${url} ${token}` : basename(folder), systemId)
  return new LateAutoscaler({
    settings: autoscaler,
    pool,
    folder: join(dataDir, 'autoscaler'),
    queueInterval: checkIntervalSeconds * 1000,
    recorder,
    logger,
  })
}

/** The executor for the jobs of a registration at one engine. */
function createEngineExecutor(
  registration: RunnerRegistration,
  settings: RunnerSettings,
  logger: Logger,
  { usageOf }: ExecutorHelpers = {},
  engine: EngineSettings,
): Executor {
  return createDockerExecutor(executorSettings(registration, settings, engine), logger, usageOf?.(engine))
}

/** The settings of the executor for the jobs of a registration at one engine. */
export function executorSettings(
  registration: RunnerRegistration,
  { systemId, dataDir }: Pick<RunnerSettings, 'systemId' | 'dataDir'>,
  engine: EngineSettings = registration.docker,
): DockerExecutorSettings {
  return {
    ...registration.docker,
    ...engine,
    runnerShortToken: shortToken(registration.token),
    systemId,
    outputLimitBytes: registration.outputLimitBytes,
    authConfig: registration.environment.findLast(({ key }) => key === 'DOCKER_AUTH_CONFIG')?.value,
    privateImagesDir: join(dataDir, 'private-images'),
    workspace: registration.workspace ?? 'auto',
    scriptOutput: registration.scriptOutput ?? 'auto',
    sharedDir: dataDir,
  }
}

/** Runs once per machine, because registrations may share its engine. */
async function prepareDockerHost(settings: RunnerSettings, logger: Logger): Promise<void> {
  if (!settings.blockMetadataAddresses) return
  const { blockMetadataAddresses } = await import('../executor/docker/network/block-metadata.js')
  // Registrations that are added later are likely to use the engine of this machine.
  const engines = settings.runners.length > 0 ? settings.runners.flatMap(enginesOf) : [{}]
  const isLocal = engines.some((engine) => isEngineLocal(engine))
  const isRoot = process.getuid?.() === 0
  await blockMetadataAddresses({ platform: process.platform, isRoot, isEngineLocal: isLocal }, logger)
}

/** The git and archive modules are loaded with the first job, to save memory in idle runners. */
function lateWorkspaces(
  locate: WorkspaceProvider['locate'],
  load: () => Promise<WorkspaceProvider>,
): WorkspaceProvider {
  let provider: Promise<WorkspaceProvider> | undefined
  const loaded = () => (provider ??= load())
  return {
    locate,
    open: async (request) => (await loaded()).open(request),
    reopen: async (request) => (await loaded()).reopen(request),
  }
}
