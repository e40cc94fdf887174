import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { clearForkSource, setForkSource } from '../../../database/stores/project-store.js'
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
  const forked = await setForkSource(database, project.id, source.id)
  if (!forked) throw conflict('Project already forked')
  return forked
}

/** False if the project is not a fork. */
export function deleteForkRelation(database: Database, { id }: Project): Promise<boolean> {
  return clearForkSource(database, id)
}
