import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../../../../git/run-git.js'
import { chunks } from '../../../../lib/chunks.js'
import { namesIn } from '../../../../lib/files.js'
import type { Logger } from '../../../../lib/logger.js'
import { DAY, MINUTE } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { Repositories } from '../repositories.js'
import { memorySettings } from '../service-settings.js'
import { deleteStaleLocks } from '../stale-locks.js'
import { listProjectIds } from '../store.js'
import { claimFolder } from './folder-claim.js'

export interface HousekeepingDeps {
  database: Database
  repositories: Repositories
  /**
   * The IDs among `pipelineIds` whose pipelines were deleted; pipelines that are being created do not count.
   */
  deletedPipelines: (projectId: number, pipelineIds: number[]) => Promise<number[]>
  logger: Logger
  /** IDs of the repositories; by default those of all projects. */
  listIds?: () => Promise<number[]>
  /** Minimum number of packs for housekeeping. */
  manyPacks?: number
}

/** Number of packs from which repacking pays off, as in git itself; each push adds one. */
const MANY_PACKS = 50
/** Age, in milliseconds, after which a temporary file is considered abandoned. */
const ABANDONED_AFTER = DAY
/** Time after which a claim on a repository expires unless renewed, in milliseconds. */
const CLAIM_HELD_FOR = 5 * MINUTE
const REFS_AT_ONCE = 1000

/**
 * Periodic task: deletes what a killed git has locked, and repacks the repositories that have many packs, one at
 * a time and with low priority. Safe beside pushes, fetches and other coordinators: no object is deleted, and git
 * searches again for an object whose pack was replaced. Failures are logged and do not stop the run. Returns the
 * number of repacked repositories.
 */
export async function runHousekeeping(deps: HousekeepingDeps, signal: AbortSignal): Promise<number> {
  let maintained = 0
  const isStopped = () => signal.aborted
  const { database, listIds = () => listProjectIds(database) } = deps
  for (const projectId of await listIds()) {
    if (isStopped()) break
    try {
      if (await runHousekeepingIfNeeded(deps, projectId, signal)) maintained++
    } catch (error) {
      if (isStopped()) break
      deps.logger.error({ err: error, project: projectId }, 'Housekeeping of a repository failed')
    }
  }
  return maintained
}

/**
 * Starts housekeeping of one repository in the background, whatever its number of packs. Resolves when it has
 * started; false if it is already running. Failures are logged.
 */
export function startHousekeeping(
  { repositories, logger }: Pick<HousekeepingDeps, 'repositories' | 'logger'>,
  projectId: number,
): Promise<boolean> {
  const gitDir = repositories.path(projectId)
  return new Promise((resolve) => {
    const runTask = async (): Promise<void> => {
      resolve(true)
      await deleteAbandoned(gitDir)
      await deletePartialObjects(gitDir)
      await pack(repositories, projectId)
    }
    claimFolder(gitDir, CLAIM_HELD_FOR, runTask).then(resolve, (error: unknown) => {
      logger.error({ err: error, project: projectId }, 'Housekeeping of a repository failed')
      resolve(false)
    })
  })
}

async function runHousekeepingIfNeeded(
  deps: HousekeepingDeps,
  projectId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const gitDir = deps.repositories.path(projectId)
  const locks = await deleteStaleLocks(gitDir)
  if (locks > 0)
    deps.logger.warn({ project: projectId, locks }, 'Deleted lock files of a git that was killed')
  // Once a day for each repository: its folder has up to 256 others.
  if (projectId % 24 === new Date().getHours()) await deletePartialObjects(gitDir)
  const packs = (await namesIn(packFolder(gitDir))).filter((name) => name.endsWith('.pack'))
  if (packs.length < (deps.manyPacks ?? MANY_PACKS)) return false
  return claimFolder(gitDir, CLAIM_HELD_FOR, async () => {
    await deleteAbandoned(gitDir)
    await releaseDeletedPipelines(deps, projectId)
    await pack(deps.repositories, projectId, signal)
    deps.logger.info({ project: projectId, packs: packs.length }, 'Repacked a repository')
  })
}

/**
 * Combines small packs so that each pack has at least twice the size of the next smaller one. The cost
 * depends on the pushes since the last run, not on the size of the repository.
 */
async function pack(repositories: Repositories, projectId: number, signal?: AbortSignal): Promise<void> {
  const options = { settings: memorySettings, isBackground: true, ...(signal && { signal }) }
  const gitDir = ['--git-dir', repositories.path(projectId)]
  const work = async (): Promise<void> => {
    await runGit([...gitDir, 'pack-refs', '--all'], options)
    await runGit([...gitDir, 'repack', '-d', '--geometric=2', '--quiet'], options)
  }
  await repositories.withSlot(projectId, 'tasks', work, signal)
}

/** Deletes the refs of deleted pipelines, which a killed coordinator may have left. */
async function releaseDeletedPipelines(
  { repositories, deletedPipelines }: HousekeepingDeps,
  projectId: number,
): Promise<void> {
  for (const ids of chunks(await repositories.listPipelineRefs(projectId), REFS_AT_ONCE)) {
    const deleted = await deletedPipelines(projectId, ids)
    if (deleted.length > 0) await repositories.deletePipelineRefs(projectId, deleted)
  }
}

/** Deletes temporary packs of killed git processes. */
async function deleteAbandoned(gitDir: string): Promise<void> {
  await deleteOldIn(packFolder(gitDir), /^(?:\.tmp-|tmp_)/)
}

/** Deletes objects that git could not write whole, because the disk was full or it was killed. */
async function deletePartialObjects(gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects')
  await deleteOldIn(objects, /^tmp_objdir-/)
  for (const name of await namesIn(objects))
    if (/^[0-9a-f]{2}$/.test(name)) await deleteOldIn(join(objects, name), /^tmp_obj_/)
}

async function deleteOldIn(folder: string, pattern: RegExp): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!pattern.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < Date.now() - ABANDONED_AFTER) await rm(join(folder, name), { force: true, recursive: true })
  }
}

function packFolder(gitDir: string): string {
  return join(gitDir, 'objects', 'pack')
}
