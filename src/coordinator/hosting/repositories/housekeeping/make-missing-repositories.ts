import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import { isRepository } from '../is-repository.js'
import type { Repositories } from '../repositories.js'

/** Whoever makes a project makes its repository within this time. Milliseconds. */
const MADE_WITHIN = 60 * 1000
/** A coordinator starts again within this time. Milliseconds. */
const LOOKED_AFTER_FOR = 30 * 24 * 3600 * 1000

export interface MissingDeps {
  database: Database
  repositories: Repositories
  logger: Logger
}

/**
 * Periodic task: makes the repositories of projects whose coordinator was killed before it could. Those of forks and
 * imports are the import's to make.
 */
export async function makeMissingRepositories(
  deps: MissingDeps,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  for (const id of await emptyProjects(deps.database, now - LOOKED_AFTER_FOR, now - MADE_WITHIN)) {
    if (signal.aborted) return
    if (await isRepository(deps.repositories.path(id))) continue
    await deps.repositories.create(id)
    deps.logger.info({ project: id }, 'Created the missing repository of a project')
  }
}

/** Made between these times; one with a default branch has had a push, and so a repository. */
async function emptyProjects(database: Database, after: number, before: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .select('id')
    .where('created_at', '>', after)
    .where('created_at', '<', before)
    .where('default_branch', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_import').select('id').whereRef('project_import.project_id', '=', 'project.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
