import { basename, join } from 'node:path'

import type { Logger } from '../../lib/logger.js'
import { SettingsError } from '../client/errors.js'
import { shortToken } from '../client/runner-info.js'
import type { ExecutorName } from '../config/executor-names.js'
import type { DockerSettings, RunnerRegistration, RunnerSettings } from '../config/settings.js'
import { AutoscaledExecutor } from '../executor/docker/autoscaler/autoscaled-executor.js'
import { LateAutoscaler } from '../executor/docker/autoscaler/late-autoscaler.js'
import { defaultPool } from '../executor/docker/autoscaler/model/pool-names.js'
import { NO_AUTOSCALER_RECORDER } from '../executor/docker/autoscaler/recorder.js'
import { createDockerExecutor } from '../executor/docker/docker-executor.js'
import { configuredHosts } from '../executor/docker/hosts/configured-hosts.js'
import { PoolExecutor } from '../executor/docker/hosts/pool-executor.js'
import type { DockerExecutorSettings, EngineSettings } from '../executor/docker/settings.js'
import type { Executor } from '../executor/executor.js'
import type { KubernetesExecutorSettings } from '../executor/kubernetes/settings.js'
import { lateExecutor } from '../executor/late-executor.js'
import { DEFAULT_BUILDS_DIR } from '../workspace/layout.js'
import type { CreateExecutor, ExecutorHelpers } from './runtime-factory.js'

/** How the executor of each name is created. */
export const EXECUTOR_FACTORIES: Record<ExecutorName, CreateExecutor> = {
  docker: (registration, settings, logger, helpers) =>
    createEngineExecutor(registration, settings, logger, helpers, requireDocker(registration)),
  'docker-hosts': (registration, settings, logger, helpers = {}) =>
    new PoolExecutor({
      source: configuredHosts(registration.dockerHosts ?? []),
      executorFor: ({ engine }) => createEngineExecutor(registration, settings, logger, helpers, engine),
      loads: helpers.replaces instanceof PoolExecutor ? helpers.replaces.loads : undefined,
      engineAwaySeconds: requireDocker(registration).engineAwaySeconds,
      logger,
    }),
  'docker-autoscaler': createAutoscaledExecutor,
  kubernetes: (registration, settings, logger) => {
    const known = kubernetesSettings(registration, settings)
    return lateExecutor(async () => {
      const { createKubernetesExecutor } = await import('../executor/kubernetes/kubernetes-executor.js')
      const { HelperClient } = await import('../helper/client/helper-client.js')
      return createKubernetesExecutor(known, logger, (options) => new HelperClient(options))
    })
  },
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
    engineAwaySeconds: requireDocker(registration).engineAwaySeconds,
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
  engine: EngineSettings = requireDocker(registration),
): DockerExecutorSettings {
  return {
    ...requireDocker(registration),
    ...engine,
    runnerShortToken: shortToken(registration.token),
    systemId,
    outputLimitBytes: registration.outputLimitBytes,
    authConfig: authConfigOf(registration),
    privateImagesDir: join(dataDir, 'private-images'),
    workspace: registration.workspace ?? 'auto',
    scriptOutput: registration.scriptOutput ?? 'auto',
    sharedDir: dataDir,
  }
}

/** The settings of the executor for the pods of the jobs of a registration. */
export function kubernetesSettings(
  registration: RunnerRegistration,
  { systemId }: Pick<RunnerSettings, 'systemId'>,
): KubernetesExecutorSettings {
  if (!registration.kubernetes) throw new SettingsError('runners.kubernetes', ['is missing'])
  return {
    ...registration.kubernetes,
    runnerName: registration.name,
    runnerShortToken: shortToken(registration.token),
    systemId,
    buildsDir: registration.buildsDir ?? DEFAULT_BUILDS_DIR,
    outputLimitBytes: registration.outputLimitBytes,
    authConfig: authConfigOf(registration),
  }
}

function requireDocker({ docker }: RunnerRegistration): DockerSettings {
  if (!docker) throw new SettingsError('runners.docker', ['is missing'])
  return docker
}

function authConfigOf({ environment }: RunnerRegistration): string | undefined {
  return environment.findLast(({ key }) => key === 'DOCKER_AUTH_CONFIG')?.value
}
