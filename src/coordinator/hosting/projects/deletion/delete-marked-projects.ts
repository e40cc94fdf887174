import type { Logger } from '../../../../lib/logger.js'
import type { Project } from '../../../access/caller.js'
import { type DeleteProjectDeps, deleteProjectIf } from './delete-project.js'

export interface MarkedProjectDeps extends DeleteProjectDeps {
  logger: Logger
}

/**
 * Periodic task: deletes the projects that were marked for deletion at `until` or before, in milliseconds
 * since the epoch. A project that is restored in the meantime is kept. Safe to run on several coordinators at
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
  try {
    if (await deleteProjectIf(deps, id, isDue))
      deps.logger.info({ project: id }, 'A deleted project was removed')
  } catch (error) {
    deps.logger.error(
      { err: error, project: id },
      'Failed to delete a project that is marked for deletion; a later run retries',
    )
  }
}
