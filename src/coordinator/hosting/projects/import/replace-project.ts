import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { updateProject } from '../../../database/stores/project-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { deleteRedirect } from '../../paths/redirects.js'
import type { Import } from '../import-store.js'
import { mayDeleteProject } from '../may-delete.js'
import { findNamespace, findProject, takenNames } from '../store.js'
import { ImportError } from './import-error.js'

export interface ReplaceProjectDeps {
  database: Database
  /** Deletes a project if `mayBeDeleted`, which is called with the locked project; false if it did not. */
  deleteProjectIf: (
    id: number,
    mayBeDeleted: (project: Project, tx: Transaction) => Promise<boolean>,
  ) => Promise<boolean>
}

/** Moves an imported project to the place of the one that it overwrites, if any. Throws `ImportError`. */
export async function replaceProject(deps: ReplaceProjectDeps, wanted: Import): Promise<void> {
  const { final_name: name, final_path: path } = wanted
  const project = await findProject(deps.database, wanted.project_id)
  if (!project || name === null || path === null || project.path === path) return
  if (project.marked_for_deletion_at !== null)
    throw new ImportError('The project was deleted during the import')
  await deleteOverwritten(deps, wanted, project)
  await inTransaction(deps.database, async (tx) => {
    const present = await lockPresentProject(tx, project.id)
    if (present?.marked_for_deletion_at !== null)
      throw new ImportError('The project was deleted during the import')
    const namespace = await findNamespace(tx, project.namespace_id)
    const taken = await takenNames(tx, project.namespace_id, { name, path, except: project.id })
    if (!namespace || taken.name || taken.path) {
      throw new ImportError(`The name or the path ${path} was taken during the import`)
    }
    const full_path = `${namespace.full_path}/${path}`
    await updateProject(tx, project.id, { name, path, full_path })
    await deleteRedirect(tx, full_path)
  })
}

/**
 * Deletes the overwritten project, unless it was moved away. Throws `ImportError` if the user may no longer
 * delete it.
 */
async function deleteOverwritten(
  { deleteProjectIf }: ReplaceProjectDeps,
  { overwrites_id: oldId, user_id: userId, final_path }: Import,
  { namespace_id }: Project,
): Promise<void> {
  if (oldId === null) return
  await deleteProjectIf(oldId, async (old, tx) => {
    const isThere = old.namespace_id === namespace_id && old.path.toLowerCase() === final_path?.toLowerCase()
    if (!isThere) return false
    if (await mayDeleteProject(tx, userId, old.id)) return true
    throw new ImportError(`You are not allowed to overwrite ${old.full_path}`)
  })
}
