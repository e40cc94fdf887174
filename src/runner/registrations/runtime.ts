import type { Logger } from '../../lib/logger.js'
import type { CacheStores, CacheStoresDeps } from '../cache/cache-stores.js'
import { CoordinatorClient } from '../client/coordinator-client.js'
import { shortToken } from '../client/runner-info.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import type { OpenDiskCleanup } from '../disk-cleanup/open-disk-cleanup.js'
import type { Executor } from '../executor/executor.js'
import type { Holds } from '../holds/holds.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import { Reachability } from './reachability.js'
import type { Recorder, RegistrationLabels } from './recorder.js'
import { reportedState } from './reported-state.js'
import type { RuntimeFactory } from './runtime-factory.js'
import type { WorkspaceFolders } from './workspace-folders.js'

export interface RuntimeOptions {
  parts: RuntimeFactory
  diskCleanup: OpenDiskCleanup | undefined
  folders: WorkspaceFolders
  recorder: Recorder
  temporaryDir: string
  holds: Pick<Holds, 'opensShells'>
  logger: Logger
}

/** The parts that a job keeps from its beginning to its end, even if the settings change. */
export interface Runtime {
  registration: RunnerRegistration
  settings: RunnerSettings
  client: CoordinatorClient
  executor: Executor
  workspaces: WorkspaceProvider
  /** Created on first use. */
  caches: () => Promise<CacheStores>
  logger: Logger
}

/**
 * Creates the runtime for the jobs of `registration`. `onTrouble` is called for responses that require a retry.
 * `replaces`: the executor of earlier settings.
 */
export function createRuntime(
  { parts, recorder, diskCleanup, folders, temporaryDir, holds, logger: runnerLogger }: RuntimeOptions,
  registration: RunnerRegistration,
  settings: RunnerSettings,
  onTrouble: () => void,
  replaces?: Executor,
): Runtime {
  const logger = registrationLogger(runnerLogger, registration)
  const reachability = new Reachability(logger)
  const { dataDir } = settings
  const folder = folders.of(registration)
  const workspaces = parts.workspaces(folder, logger)
  const executor = parts.executor(registration, settings, logger, {
    usageOf: diskCleanup && ((engine) => diskCleanup.usageOf(engine)),
    countQueued: (signal) => client.countQueued(signal),
    recorder,
    folder,
    replaces,
  })
  const client: CoordinatorClient = createRegistrationClient({
    registration,
    settings,
    executor,
    holds,
    recorder,
    reachability,
    onTrouble,
  })
  let caches: Promise<CacheStores> | undefined
  return {
    registration,
    settings,
    client,
    executor,
    workspaces: diskCleanup?.guard(workspaces, folder) ?? workspaces,
    caches: () => (caches ??= loadCaches({ registration, dataDir, temporaryDir, client })),
    logger,
  }
}

/** A child logger keeps the level that its parent had when it was created. */
export function registrationLogger(logger: Logger, registration: RunnerRegistration): Logger {
  return logger.child({ runner: registration.name })
}

/** Loaded with the first job, to save memory in idle runners. */
async function loadCaches(deps: CacheStoresDeps): Promise<CacheStores> {
  const { createCacheStores } = await import('../cache/cache-stores.js')
  return createCacheStores(deps)
}

interface RegistrationClientOptions {
  registration: RunnerRegistration
  settings: Pick<RunnerSettings, 'systemId' | 'concurrent'>
  executor: Executor
  holds: Pick<Holds, 'opensShells'>
  recorder: Recorder
  reachability: Reachability
  /** Called when a job request had to be repeated. */
  onTrouble: () => void
}

/** Creates the client of one registration, with metrics for every call. */
function createRegistrationClient({
  registration,
  settings,
  executor,
  holds,
  recorder,
  reachability,
  onTrouble,
}: RegistrationClientOptions): CoordinatorClient {
  const labels = labelsOf(registration, settings.systemId)
  return new CoordinatorClient(
    {
      url: registration.url,
      token: registration.token,
      systemId: settings.systemId,
      executor: registration.executor ?? 'docker',
      tls: registration.tls,
      labels: registration.labels ?? {},
      state: () => ({
        ...reportedState(executor, Math.min(settings.concurrent, registration.limit ?? Infinity)),
        opensShells: holds.opensShells,
      }),
    },
    {
      ended: ({ method, path }, status, seconds) => {
        reachability.responded()
        recorder.callEnded(labels, method, path, status, seconds)
      },
      unreachable: (error) => reachability.lost(error),
      repeated: ({ method, path }) => {
        recorder.callRepeated(method, path)
        if (path === 'jobs/request') onTrouble()
      },
    },
  )
}

export function labelsOf(
  registration: Pick<RunnerRegistration, 'token' | 'name'>,
  systemId: string,
): RegistrationLabels {
  return { runner: shortToken(registration.token), runner_name: registration.name, system_id: systemId }
}
