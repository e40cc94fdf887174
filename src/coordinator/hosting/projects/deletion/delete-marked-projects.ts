import type { Logger } from '../../../../lib/logger.js'
import type { Project } from '../../../access/caller.js'
import { mayDeleteProject } from '../may-delete.js'
import { type DeleteProjectDeps, deleteProjectIf } from './delete-project.js'
import { restoreProject } from './mark-for-deletion.js'

export interface MarkedProjectDeps extends DeleteProjectDeps {
  logger: Logger
}

/**
 * Periodic task: deletes the projects that were marked for deletion at `until` or before, in milliseconds
 * since the epoch. A project that is restored in the meantime is kept. One whose user may not delete it any more is
 * restored. Safe to run on several coordinators at
 * once; if one stops, a later run deletes the rest.
 */
export async function deleteMarkedProjects(
  deps: MarkedProjectDeps,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const due = await deps.database
    .selectFrom('project')
    .select('id')
    .where('marked_for_deletion_at', '<=', until)
    .where('deletion_started_at', 'is', null)
    .orderBy('marked_for_deletion_at')
    .execute()
  for (const { id } of due) {
    if (signal.aborted) return
    await remove(deps, id, until)
  }
}

/** A failure is logged and does not stop the other deletions. */
async function remove(deps: MarkedProjectDeps, id: number, until: number): Promise<void> {
  const isDue = ({ marked_for_deletion_at: at }: Project) => at !== null && at <= until
  const outcome = { isRefused: false }
  try {
    const isDeleted = await deleteProjectIf(deps, id, async (project, tx) => {
      if (!isDue(project)) return false
      outcome.isRefused = !(await mayDeleteProject(tx, project.marked_for_deletion_by_id, id))
      return !outcome.isRefused
    })
    if (isDeleted) deps.logger.info({ project: id }, 'A deleted project was removed')
    if (outcome.isRefused) await restore(deps, id)
  } catch (error) {
    deps.logger.error(
      { err: error, project: id },
      'Failed to delete a project that is marked for deletion; a later run retries',
    )
  }
}

/** It stays marked if its name or path is taken; a later run tries again. */
async function restore({ database, logger }: MarkedProjectDeps, id: number): Promise<void> {
  await restoreProject(database, { id })
  logger.warn(
    { project: id },
    'A project was restored: the user who has marked it for deletion may not delete it any more',
  )
}
