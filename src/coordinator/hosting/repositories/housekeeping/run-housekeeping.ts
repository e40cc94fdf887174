import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../../../../git/run-git.js'
import { chunks } from '../../../../lib/chunks.js'
import { namesIn } from '../../../../lib/files.js'
import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import type { Repositories } from '../repositories.js'
import { memorySettings } from '../service-settings.js'
import { listProjectIds } from '../store.js'
import { claimFolder } from './folder-claim.js'

export interface TendingDeps {
  database: Database
  repositories: Repositories
  /** Those of `pipelineIds` that were deleted; one that is being created is none of them. */
  deletedPipelines: (projectId: number, pipelineIds: number[]) => Promise<number[]>
  logger: Logger
  /** From how many packs on a repository is tidied up. */
  manyPacks?: number
}

/** Packs, of which each push brings one, from which on putting them together is worth it; git's own measure. */
const MANY_PACKS = 50
/** Milliseconds after which nobody is believed to be at work any more. */
const ONE_DAY = 24 * 60 * 60 * 1000
/** The same of somebody who has claimed a repository to tidy it up, and says again and again that it goes on. */
const CLAIM_HELD_FOR = 5 * 60 * 1000
const REFS_AT_ONCE = 1000

/**
 * Periodic task: tidies up the repositories that have collected many packs, one after the other and behind everybody
 * else on the machine. Safe beside pushes, fetches and other coordinators: no object is ever removed, and git looks
 * again for one whose pack has been replaced. Logs what fails and goes on. Answers how many were tidied up.
 */
export async function runHousekeeping(deps: TendingDeps, signal: AbortSignal): Promise<number> {
  let tended = 0
  const isStopped = () => signal.aborted
  for (const projectId of await listProjectIds(deps.database)) {
    if (isStopped()) break
    try {
      if (await runHousekeepingIfNeeded(deps, projectId, signal)) tended++
    } catch (error) {
      if (isStopped()) break
      deps.logger.error({ err: error, project: projectId }, 'Housekeeping of a repository failed')
    }
  }
  return tended
}

/**
 * Tidies one repository up now, however few packs it has, behind the back of the caller. Answers as soon as it has begun;
 * false when somebody is at it already. Logs what fails.
 */
export function startHousekeeping(
  { repositories, logger }: Pick<TendingDeps, 'repositories' | 'logger'>,
  projectId: number,
): Promise<boolean> {
  const gitDir = repositories.path(projectId)
  return new Promise((resolve) => {
    const tend = async (): Promise<void> => {
      resolve(true)
      await removeAbandoned(gitDir)
      await pack(repositories, projectId)
    }
    claimFolder(gitDir, CLAIM_HELD_FOR, tend).then(resolve, (error: unknown) => {
      logger.error({ err: error, project: projectId }, 'Housekeeping of a repository failed')
      resolve(false)
    })
  })
}

async function runHousekeepingIfNeeded(
  deps: TendingDeps,
  projectId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const gitDir = deps.repositories.path(projectId)
  const packs = (await namesIn(packFolder(gitDir))).filter((name) => name.endsWith('.pack'))
  if (packs.length < (deps.manyPacks ?? MANY_PACKS)) return false
  return claimFolder(gitDir, CLAIM_HELD_FOR, async () => {
    await removeAbandoned(gitDir)
    await releaseDeletedPipelines(deps, projectId)
    await pack(deps.repositories, projectId, signal)
    deps.logger.info({ project: projectId, packs: packs.length }, 'Repacked a repository')
  })
}

/**
 * Small packs become larger ones so that each holds at least twice as much as the next: what a turn costs follows what
 * was pushed since the last one, not the size of the repository.
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

/** What a coordinator that was killed could not let go. */
async function releaseDeletedPipelines(
  { repositories, deletedPipelines }: TendingDeps,
  projectId: number,
): Promise<void> {
  for (const ids of chunks(await repositories.listPipelineRefs(projectId), REFS_AT_ONCE)) {
    const deleted = await deletedPipelines(projectId, ids)
    if (deleted.length > 0) await repositories.deletePipelineRefs(projectId, deleted)
  }
}

/** Packs that a killed git has not finished. */
async function removeAbandoned(gitDir: string): Promise<void> {
  const folder = packFolder(gitDir)
  for (const name of await namesIn(folder)) {
    if (!/^(?:\.tmp-|tmp_)/.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < Date.now() - ONE_DAY) await rm(join(folder, name), { force: true })
  }
}

function packFolder(gitDir: string): string {
  return join(gitDir, 'objects', 'pack')
}
