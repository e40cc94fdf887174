import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import { deleteGroups, groupsWithin, projectsIn } from './store.js'

export interface RemoveGroupDeps {
  database: Database
  logger: Logger
  /** Removes a project with its files, and stops its jobs; one that is gone already is none to worry about. */
  removeProject: (projectId: number) => Promise<void>
  deleteAvatars: (group: { kind: 'group'; id: number }) => Promise<void>
}

/**
 * Removes a group with all in it: project by project, then the groups themselves with their members, runners and
 * variables. It is noted first, so that what is cut off goes on with the next turn of `finishGroupRemovals`. Throws 404
 * where it has gone already.
 */
export async function removeGroup(deps: RemoveGroupDeps, groupId: number): Promise<void> {
  if (!(await recordDeletion(deps.database, groupId))) throw notFound('Group')
  await removeNoted(deps, groupId)
}

/** False where somebody else has removed the group meanwhile. */
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

/** Periodic task: goes on with what a coordinator that was stopped, or a project made meanwhile, has left. */
export async function finishGroupRemovals(deps: RemoveGroupDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('group_removal')
    .select('group_id')
    .orderBy('created_at')
    .limit(100)
    .execute()
  for (const { group_id } of rows) await removeNoted(deps, group_id)
}

async function removeNoted(deps: RemoveGroupDeps, groupId: number): Promise<void> {
  try {
    for (const id of await projectsIn(deps.database, groupId)) await deps.removeProject(id)
    // Before the rows: without those nobody would know what is left to remove.
    for (const id of await groupsWithin(deps.database, groupId))
      await deps.deleteAvatars({ kind: 'group', id })
    await inTransaction(deps.database, (tx) => deleteGroups(tx, groupId))
  } catch (error) {
    deps.logger.warn({ err: error, group: groupId }, 'The rest of a removed group is left for later')
  }
}
