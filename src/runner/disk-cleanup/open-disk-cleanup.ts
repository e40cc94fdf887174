import { join } from 'node:path'

import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { RunnerSettings } from '../config/settings.js'
import type { EngineSettings } from '../executor/docker/settings.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import { Claims } from './claims.js'
import { CaredEngine } from './cleanup-engine.js'
import type { Shelf } from './cleanup-target.js'
import { HostCare } from './disk-cleanup.js'
import { DISK_DEFAULTS } from './disk-settings.js'
import { differentDisks, diskOf } from './disk-space.js'
import { guardWorkspaces } from './guard-workspaces.js'
import { UseBook } from './lru-index.js'

/** Host care for one process, and what makes the parts of a runner known to it. */
export interface OpenHostCare {
  care: HostCare
  guard(provider: WorkspaceProvider, root: string): WorkspaceProvider
  /** An engine that came with changed settings is looked after from then on. */
  usageOf(engine: EngineSettings): UsageObserver
}

/** Asks nothing of any engine yet. */
export async function openHostCare(
  settings: Pick<RunnerSettings, 'dataDir' | 'systemId' | 'runners' | 'disk'>,
  logger: Logger,
  now: () => number = Date.now,
): Promise<OpenHostCare> {
  const { dataDir, systemId, disk = DISK_DEFAULTS } = settings
  const folder = join(dataDir, 'host-care')
  const claims = new Claims()
  const book = await UseBook.open(join(folder, 'workspaces.json'), logger, now)
  const engines = new Map<string, CaredEngine>()
  const engineOf = (engine: EngineSettings) => {
    const name = nameOf(engine)
    const file = join(folder, `engine-${tokenDigest(name).slice(0, 16)}.json`)
    const cared = engines.get(name) ?? new CaredEngine(engine, UseBook.openOrEmpty(file, logger, now))
    engines.set(name, cared)
    return cared
  }
  for (const { docker } of settings.runners) engineOf(docker)
  const care = new HostCare({
    settings: disk,
    disks: async () => {
      const asked = [...engines.values()].filter(({ hasWorked }) => hasWorked || disk.marks !== undefined)
      return differentDisks(await Promise.all([diskOf(dataDir), ...asked.map((engine) => engine.disk())]))
    },
    shelves: async () => {
      const all = [...engines.values()]
      return [
        ...(await hostShelves({ dataDir, claims, book, engines: all })),
        ...(await Promise.all(all.map((engine) => engineShelves(engine, systemId)))).flat(),
      ]
    },
    logger,
    now,
  })
  return {
    care,
    guard: (provider, root) => guardWorkspaces(provider, root, { claims, book }),
    usageOf: (engine) => engineOf(engine).observer,
  }
}

/** Entries with one address have one engine. */
function nameOf({ host }: EngineSettings): string {
  return host ?? ''
}

interface HostThings {
  dataDir: string
  claims: Claims
  book: UseBook
  engines: CaredEngine[]
}

// What removes things is loaded when something is to be removed: a runner that only waits does without the memory.

async function hostShelves({ dataDir, claims, book, engines }: HostThings): Promise<Shelf[]> {
  const { workspaceShelf } = await import('./workspace-target.js')
  const { cacheShelf } = await import('./cache-target.js')
  const diskId = (await diskOf(dataDir))?.id
  const mountedPaths = async () => {
    const dockers = await Promise.all(engines.map((engine) => engine.docker()))
    const lists = await Promise.all(dockers.map((docker) => docker.listContainers({ all: true })))
    return lists.flat().flatMap(({ Mounts: mounts }) => mounts.map(({ Source: path }) => path))
  }
  return [
    workspaceShelf({ root: join(dataDir, 'workspaces'), diskId, claims, book, mountedPaths }),
    cacheShelf(join(dataDir, 'cache'), diskId),
  ]
}

async function engineShelves(engine: CaredEngine, systemId: string): Promise<Shelf[]> {
  const { imageShelf } = await import('./image-target.js')
  const { volumeShelf } = await import('./volume-target.js')
  const parts = { docker: await engine.docker(), book: await engine.book, diskId: (await engine.disk())?.id }
  return [imageShelf(parts), volumeShelf(parts, systemId)]
}
