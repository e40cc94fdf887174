import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'

export interface RemovedProjectDeps {
  database: Database
  /** Removes repository, traces, artifacts, uploads and pictures of a project whose rows are gone. */
  removeFiles: (projectId: number) => Promise<void>
  logger: Logger
}

/** Of one turn of the task. */
const BATCH = 100

/**
 * Notes a project that the same transaction deletes: its files go after it has committed, and if that is cut off, with
 * the next turn of `removeFilesOfDeletedProjects`.
 */
export async function recordDeletedProject(tx: Transaction, projectId: number): Promise<void> {
  await tx
    .insertInto('removed_project')
    .values({ project_id: projectId, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes what the project has left. When that fails it is logged, and the project stays noted. */
export async function removeFilesOfProject(deps: RemovedProjectDeps, projectId: number): Promise<void> {
  try {
    await deps.removeFiles(projectId)
    await deps.database.deleteFrom('removed_project').where('project_id', '=', projectId).execute()
  } catch (error) {
    deps.logger.warn(
      { err: error, project: projectId },
      'Failed to delete the files of a deleted project; a later run retries',
    )
  }
}

/** Periodic task: removes what a coordinator that was stopped, or a disk that could not be written, has left. */
export async function removeFilesOfDeletedProjects(deps: RemovedProjectDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('removed_project')
    .select('project_id')
    .orderBy('project_id')
    .limit(BATCH)
    .execute()
  for (const { project_id } of rows) await removeFilesOfProject(deps, project_id)
}
