import type { Logger } from '../../lib/logger.js'
import type { CacheStores, CacheStoresDeps } from '../cache/cache-stores.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import type { RunnerEntry, RunnerSettings } from '../config/settings.js'
import type { OpenHostCare } from '../disk-cleanup/open-disk-cleanup.js'
import type { Executor } from '../executor/executor.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import type { Recorder } from './recorder.js'
import { createEntryClient } from './registration-client.js'
import type { RunnerParts } from './runtime-factory.js'
import type { WorkspaceFolders } from './workspace-folders.js'

export interface EquipmentOptions {
  parts: RunnerParts
  hostCare: OpenHostCare | undefined
  folders: WorkspaceFolders
  recorder: Recorder
  temporaryDir: string
  logger: Logger
}

/** What a job keeps from its beginning to its end, whatever the settings say meanwhile. */
export interface Equipment {
  entry: RunnerEntry
  settings: RunnerSettings
  client: CoordinatorClient
  executor: Executor
  workspaces: WorkspaceProvider
  /** Made when they are first asked for. */
  caches: () => Promise<CacheStores>
  logger: Logger
}

/** What the jobs of `entry` are run with. `onTrouble` hears of answers that ask for patience. */
export function equip(
  { parts, recorder, hostCare, folders, temporaryDir, logger: runnerLogger }: EquipmentOptions,
  entry: RunnerEntry,
  settings: RunnerSettings,
  onTrouble: () => void,
): Equipment {
  const logger = entryLogger(runnerLogger, entry)
  const client = createEntryClient({ entry, settings, recorder, onTrouble })
  const { dataDir } = settings
  const folder = folders.of(entry)
  const workspaces = parts.workspaces(folder, logger)
  let caches: Promise<CacheStores> | undefined
  return {
    entry,
    settings,
    client,
    executor: parts.executor(entry, settings, logger, hostCare?.usageOf(entry.docker)),
    workspaces: hostCare?.guard(workspaces, folder) ?? workspaces,
    caches: () => (caches ??= loadCaches({ entry, dataDir, temporaryDir, client })),
    logger,
  }
}

/** A child keeps the level that its parent had when it was made. */
export function entryLogger(logger: Logger, entry: RunnerEntry): Logger {
  return logger.child({ runner: entry.name })
}

/** With the first job: what speaks to caches is of no use to a runner that only waits. */
async function loadCaches(deps: CacheStoresDeps): Promise<CacheStores> {
  const { createCacheStores } = await import('../cache/cache-stores.js')
  return createCacheStores(deps)
}
