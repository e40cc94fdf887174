import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'

export interface DeletedProjectDeps {
  database: Database
  /** Deletes the repository, the wiki, job logs, artifacts, uploads and avatar of a project whose rows are deleted. */
  deleteFiles: (projectId: number) => Promise<void>
  logger: Logger
}

/** Maximum number of projects per run. */
const BATCH = 100

/**
 * Records a project that the same transaction deletes. Its files are deleted after the commit; if that is
 * interrupted, the next run of `deleteFilesOfDeletedProjects` deletes them.
 */
export async function recordDeletedProject(tx: Transaction, projectId: number): Promise<void> {
  await tx
    .insertInto('removed_project')
    .values({ project_id: projectId, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the files of the project. A failure is logged, and the record is kept for a later run. */
export async function deleteFilesOfProject(deps: DeletedProjectDeps, projectId: number): Promise<void> {
  try {
    await deps.deleteFiles(projectId)
    await deps.database.deleteFrom('removed_project').where('project_id', '=', projectId).execute()
  } catch (error) {
    deps.logger.warn(
      { err: error, project: projectId },
      'Failed to delete the files of a deleted project; a later run retries',
    )
  }
}

/** Periodic task: deletes files that remain after a coordinator was stopped or a disk write failed. */
export async function deleteFilesOfDeletedProjects(deps: DeletedProjectDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('removed_project')
    .select('project_id')
    .orderBy('project_id')
    .limit(BATCH)
    .execute()
  for (const { project_id } of rows) await deleteFilesOfProject(deps, project_id)
}
