import type { Logger } from '../../../../lib/logger.js'
import { DAY, MINUTE } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { isRepository } from '../is-repository.js'
import type { Repositories } from '../repositories.js'

/** Time within which a new project gets its repository, in milliseconds. */
const MADE_WITHIN = MINUTE
/**
 * Age of a project, in milliseconds, up to which its repository is checked; a killed coordinator starts again
 * within this time.
 */
const LOOKED_AFTER_FOR = 30 * DAY

export interface MissingDeps {
  database: Database
  repositories: Repositories
  logger: Logger
}

/**
 * Periodic task: creates the repositories of projects whose coordinator was killed before it could.
 * Repositories of forks and imports are created by the workers that make these.
 */
export async function createMissingRepositories(
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

/**
 * Projects created between these times. A project with a default branch has received a push, and so has a
 * repository.
 */
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
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_import_entity')
            .select('id')
            .whereRef('bulk_import_entity.project_id', '=', 'project.id')
            .where('bulk_import_entity.status', '=', 'started'),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
