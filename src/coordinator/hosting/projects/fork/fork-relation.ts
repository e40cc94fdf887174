import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { ApiError, conflict, notFound } from '../../../http/errors.js'

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
  if (source.id === project.id) throw new ApiError(400, { message: "A project can't be a fork of itself" })
  const forked = await database
    .updateTable('project')
    .set({ forked_from_id: source.id, updated_at: Date.now() })
    .where('id', '=', project.id)
    .where('forked_from_id', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!forked) throw conflict('Project already forked')
  return forked
}

/** False if the project is not a fork. */
export async function deleteForkRelation(database: Database, { id }: Project): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('project')
    .set({ forked_from_id: null, updated_at: Date.now() })
    .where('id', '=', id)
    .where('forked_from_id', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
