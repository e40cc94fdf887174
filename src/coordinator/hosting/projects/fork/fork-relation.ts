import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { clearForkSource, setForkSource } from '../../../database/stores/project-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, notFound } from '../../../http/errors.js'

/**
 * Marks a project as a fork of another one. Throws 409 if it is a fork already, and 404 for a source that the
 * caller may not see.
 */
export async function addForkRelation(
  database: Database,
  project: Project,
  source: Project | undefined,
): Promise<Project> {
  if (!source) throw notFound('Source Project')
  if (source.id === project.id) throw apiError('fork_of_itself')
  const forked = await setForkSource(database, project.id, source.id)
  if (!forked) throw apiError('already_forked')
  return forked
}

/** Called in the transaction with the fork, and the user who deletes the relation. */
export type OnUnlinked = (tx: Transaction, projectId: number, user: User) => Promise<void>

/** False if the project is not a fork. */
export function deleteForkRelation(
  { database, onUnlinked }: { database: Database; onUnlinked: OnUnlinked },
  { id }: Project,
  user: User,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await clearForkSource(tx, id))) return false
    await onUnlinked(tx, id, user)
    return true
  })
}
