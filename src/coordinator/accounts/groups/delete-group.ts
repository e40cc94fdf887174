import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import { deleteGroups, groupsWithin, projectsIn } from './store.js'

export interface DeleteGroupDeps {
  database: Database
  logger: Logger
  /** Deletes a project with its files, and stops its jobs; a missing project is no error. */
  deleteProject: (projectId: number) => Promise<void>
  deleteAvatars: (group: { kind: 'group'; id: number }) => Promise<void>
}

/**
 * Deletes a group with everything inside: project by project, then the groups with their members, runners and
 * variables. The deletion is recorded first, so that a later run of `finishGroupDeletions` completes it after
 * an interruption. Throws 404 if it was deleted before.
 */
export async function deleteGroup(deps: DeleteGroupDeps, groupId: number): Promise<void> {
  if (!(await recordDeletion(deps.database, groupId))) throw notFound('Group')
  await deleteAudited(deps, groupId)
}

/** False if another request has deleted the group. */
async function recordDeletion(database: Database, groupId: number): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await lockRow(tx, 'namespace', groupId))) return false
    await tx
      .insertInto('group_removal')
      .values({ group_id: groupId, created_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  })
}

/**
 * Periodic task: completes group deletions that a stopped coordinator, or a project created during the
 * deletion, has left unfinished.
 */
export async function finishGroupDeletions(deps: DeleteGroupDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('group_removal')
    .select('group_id')
    .orderBy('created_at')
    .limit(100)
    .execute()
  for (const { group_id } of rows) await deleteAudited(deps, group_id)
}

async function deleteAudited(deps: DeleteGroupDeps, groupId: number): Promise<void> {
  try {
    for (const id of await projectsIn(deps.database, groupId)) await deps.deleteProject(id)
    // Before the rows, because they are needed to find the avatars.
    for (const id of await groupsWithin(deps.database, groupId))
      await deps.deleteAvatars({ kind: 'group', id })
    await inTransaction(deps.database, (tx) => deleteGroups(tx, groupId))
  } catch (error) {
    deps.logger.warn({ err: error, group: groupId }, 'Failed to delete all of a group; a later run retries')
  }
}
