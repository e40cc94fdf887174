import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../../../../git/run-git.js'
import { isMissingFile, readIfThere } from '../../../../lib/files.js'
import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import type { Repositories } from '../repositories.js'
import { listProjectIds } from '../store.js'

export interface ReplacementRefDeps {
  database: Database
  repositories: Repositories
  logger: Logger
}

const REPLACEMENTS = 'refs/replace/'

/**
 * Periodic task: deletes refs below `refs/replace/`, which older versions accepted from clients. Git
 * processes of the coordinator ignore them, but those in a copy of the repository made by an administrator
 * would not. Each warning names the refs and their objects, which are kept in the repository. Failures are
 * logged and do not stop the run.
 */
export async function deleteReplacementRefs(deps: ReplacementRefDeps, signal: AbortSignal): Promise<void> {
  for (const projectId of await listProjectIds(deps.database)) {
    if (signal.aborted) return
    try {
      if (await mayHaveReplacements(deps.repositories.path(projectId))) await deleteFrom(deps, projectId)
    } catch (error) {
      deps.logger.error({ err: error, project: projectId }, 'Failed to delete replacement refs')
    }
  }
}

/** Reads two files instead of starting a process for each repository. */
async function mayHaveReplacements(gitDir: string): Promise<boolean> {
  try {
    await access(join(gitDir, REPLACEMENTS))
    return true
  } catch (error) {
    if (!isMissingFile(error)) throw error
    return (await readIfThere(join(gitDir, 'packed-refs')))?.includes(` ${REPLACEMENTS}`) ?? false
  }
}

async function deleteFrom({ repositories, logger }: ReplacementRefDeps, projectId: number): Promise<void> {
  await repositories.withSlot(projectId, 'tasks', async () => {
    const git = ['--git-dir', repositories.path(projectId)]
    const listed = await runGit([...git, 'for-each-ref', '--format=%(refname) %(objectname)', REPLACEMENTS])
    const refs = listed.split('\n').filter((line) => line !== '')
    if (refs.length === 0) return
    const input = refs.map((line) => `delete ${line}\n`).join('')
    await runGit([...git, 'update-ref', '--stdin'], { input })
    logger.warn(
      { project: projectId, refs },
      'Deleted replacement refs, which can change the content of commits',
    )
  })
}
