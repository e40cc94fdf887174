import type { Deletions } from '../../background/deletions.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import { deleteGroups, groupsWithin, projectsIn } from './store.js'

export interface DeleteGroupDeps {
  database: Database
  deletions: Deletions
  /** Hides a project that is to be deleted; a missing project is no error. */
  hideProject: (projectId: number) => Promise<void>
  /** Deletes a project with its files, and stops its jobs; a missing project is no error. */
  deleteProject: (projectId: number, signal: AbortSignal) => Promise<void>
  deleteAvatars: (group: { kind: 'group'; id: number }) => Promise<void>
  /** Deletes the repository of the wiki of a group whose rows are deleted. */
  deleteWiki: (groupId: number) => Promise<void>
}

/**
 * Deletes a group with everything inside: project by project, then the groups with their members, runners and
 * variables. The deletion is recorded first: nobody sees the group any more, and a later run of
 * `finishGroupDeletions` completes it after an interruption. The deletion of a large group continues in the
 * background. Throws 404 if it was deleted before.
 */
export async function deleteGroup(deps: DeleteGroupDeps, groupId: number): Promise<void> {
  if (!(await recordDeletion(deps.database, groupId))) throw notFound('Group')
  await startDeletion(deps, groupId)
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
  for (const { group_id } of rows) await startDeletion(deps, group_id)
}

function startDeletion(deps: DeleteGroupDeps, groupId: number): Promise<void> {
  return deps.deletions.start(`group ${groupId}`, (signal) => deleteWhole(deps, groupId, signal))
}

async function deleteWhole(deps: DeleteGroupDeps, groupId: number, signal: AbortSignal): Promise<void> {
  const { database } = deps
  const projects = await projectsIn(database, groupId)
  for (const id of projects) await deps.hideProject(id)
  for (const id of projects) await deps.deleteProject(id, signal)
  for (const id of await groupsWithin(database, groupId)) {
    // Avatars are deleted before the rows, which are needed to find them.
    await deps.deleteAvatars({ kind: 'group', id })
    await deleteDependents(database, 'namespace', id, { except: KEPT, signal })
    await deps.deleteWiki(id)
  }
  await inTransaction(database, (tx) => deleteGroups(tx, groupId))
}

/** The record of the deletion, and what finds the groups of it. */
const KEPT = ['group_removal', 'group_tree']
