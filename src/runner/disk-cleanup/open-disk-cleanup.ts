import { join } from 'node:path'

import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import { DISK_DEFAULTS } from '../config/disk-settings.js'
import { enginesOf } from '../config/engines-of.js'
import type { RunnerSettings } from '../config/settings.js'
import type { EngineSettings } from '../executor/docker/settings.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import { Claims } from './claims.js'
import { CleanupEngine } from './cleanup-engine.js'
import type { CleanupTarget } from './cleanup-target.js'
import { DiskCleanup } from './disk-cleanup.js'
import { differentDisks, diskOf } from './disk-space.js'
import { guardWorkspaces } from './guard-workspaces.js'
import { LruIndex } from './lru-index.js'

/** Disk cleanup for one process, and the hooks that report the use of items to it. */
export interface OpenDiskCleanup {
  diskCleanup: DiskCleanup
  guard(provider: WorkspaceProvider, root: string): WorkspaceProvider
  /** An engine that is added by a change of settings is included from then on. */
  usageOf(engine: EngineSettings): UsageObserver
}

/** Does not contact any engine yet. */
export async function openDiskCleanup(
  settings: Pick<RunnerSettings, 'dataDir' | 'systemId' | 'runners' | 'disk'>,
  logger: Logger,
  now: () => number = Date.now,
): Promise<OpenDiskCleanup> {
  const { dataDir, systemId, disk = DISK_DEFAULTS } = settings
  const folder = join(dataDir, 'host-diskCleanup')
  const claims = new Claims()
  const index = await LruIndex.open(join(folder, 'workspaces.json'), logger, now)
  const engines = new Map<string, CleanupEngine>()
  const engineOf = (engine: EngineSettings) => {
    const name = nameOf(engine)
    const file = join(folder, `engine-${tokenDigest(name).slice(0, 16)}.json`)
    const existing = engines.get(name) ?? new CleanupEngine(engine, LruIndex.openOrEmpty(file, logger, now))
    engines.set(name, existing)
    return existing
  }
  for (const engine of settings.runners.flatMap(enginesOf)) engineOf(engine)
  const diskCleanup = new DiskCleanup({
    settings: disk,
    disks: async () => {
      const asked = [...engines.values()].filter(({ hasWorked }) => hasWorked || disk.marks !== undefined)
      return differentDisks(await Promise.all([diskOf(dataDir), ...asked.map((engine) => engine.disk())]))
    },
    targets: async () => {
      const all = [...engines.values()]
      return [
        ...(await hostTargets({ dataDir, claims, index, engines: all })),
        ...(await Promise.all(all.map((engine) => engineTargets(engine, systemId)))).flat(),
      ]
    },
    logger,
    now,
  })
  return {
    diskCleanup,
    guard: (provider, root) => guardWorkspaces(provider, root, { claims, index }),
    usageOf: (engine) => engineOf(engine).observer,
  }
}

/** Registrations with the same address share one engine. */
function nameOf({ host }: EngineSettings): string {
  return host ?? ''
}

interface HostUsage {
  dataDir: string
  claims: Claims
  index: LruIndex
  engines: CleanupEngine[]
}

// The modules that remove items are loaded when there is something to remove, to save memory in idle runners.

async function hostTargets({ dataDir, claims, index, engines }: HostUsage): Promise<CleanupTarget[]> {
  const { workspaceTarget } = await import('./workspace-target.js')
  const { cacheTarget } = await import('./cache-target.js')
  const diskId = (await diskOf(dataDir))?.id
  const mountedPaths = async () => (await Promise.all(engines.map((engine) => engine.mountedPaths()))).flat()
  return [
    workspaceTarget({ root: join(dataDir, 'workspaces'), diskId, claims, index, mountedPaths }),
    cacheTarget(join(dataDir, 'cache'), diskId),
  ]
}

async function engineTargets(engine: CleanupEngine, systemId: string): Promise<CleanupTarget[]> {
  const { imageTarget } = await import('./image-target.js')
  const { volumeTarget } = await import('./volume-target.js')
  const parts = {
    docker: await engine.docker(),
    index: await engine.index,
    diskId: (await engine.disk())?.id,
  }
  return [imageTarget(parts), volumeTarget(parts, systemId)]
}
