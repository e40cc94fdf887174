import type { Project } from '../../../access/caller.js'
import type { Deletions } from '../../../background/deletions.js'
import { deleteDependents, deleteInSteps } from '../../../database/delete-in-steps.js'
import type { Transaction } from '../../../database/transaction.js'
import { deleteProjectRow, type HideDeps, hideProject, runningJobs } from '../store.js'

/*
 * A project may have millions of rows. So it is deleted in many transactions, while others are served:
 *
 *   hidden, its path free -> running jobs deleted and stopped -> everything below it deleted in steps -> its row deleted
 *   -> its files deleted
 *
 * After an interruption, `finishProjectDeletions` continues; completed steps then have nothing to do.
 */

export interface DeleteProjectDeps extends HideDeps {
  deletions: Deletions
  /**
   * Called after the rows of the project are deleted; deletes its repository, job logs, artifacts and
   * uploads.
   */
  onProjectDeleted: (projectId: number) => Promise<void>
  /** Called with the jobs that were running, so that their runners stop at once. */
  onJobsGone: (jobIds: number[]) => void
}

/**
 * Deletes a project with all its rows and files, even if a crash interrupts it. Nobody sees it any more when this
 * returns; the deletion of a large project continues in the background. False if it was deleted before or
 * `mayBeDeleted` returns false; `mayBeDeleted` is called with the locked project.
 */
export async function deleteProjectIf(
  deps: DeleteProjectDeps,
  id: number,
  mayBeDeleted?: (project: Project, tx: Transaction) => boolean | Promise<boolean>,
): Promise<boolean> {
  if (!(await hideProject(deps, id, mayBeDeleted))) return false
  await deps.deletions.start(`project ${id}`, (signal) => deleteHiddenProject(deps, id, signal))
  return true
}

/** Deletes a project and returns when all of it is deleted. A missing project is no error. */
export async function deleteWholeProject(
  deps: DeleteProjectDeps,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  await hideProject(deps, id)
  await deleteHiddenProject(deps, id, signal)
}

/** Periodic task: completes deletions that a stopped coordinator has left unfinished. */
export async function finishProjectDeletions(deps: DeleteProjectDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('project')
    .select('id')
    .where('deletion_started_at', 'is not', null)
    .orderBy('deletion_started_at')
    .limit(100)
    .execute()
  for (const { id } of rows)
    await deps.deletions.start(`project ${id}`, (signal) => deleteHiddenProject(deps, id, signal))
}

async function deleteHiddenProject(
  { database, onJobsGone, onProjectDeleted }: DeleteProjectDeps,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const jobs = await runningJobs(database, id)
  await deleteInSteps(database, 'job', jobs, signal)
  onJobsGone(jobs)
  await deleteDependents(database, 'project', id, { signal })
  if (await deleteProjectRow(database, id)) await onProjectDeleted(id)
}
