import { may } from '../../../access/access.js'
import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { giverNow } from '../../../intentions/giver.js'
import { refusalToCreateIn } from '../create/create-project.js'
import type { Import } from '../import-store.js'
import { findNamespace, findProject } from '../store.js'
import { ImportError } from './import-error.js'

/** The project that is filled, and the user for whom that is done. */
export interface Importer {
  project: Project
  importer: User
}

/**
 * Reads for whom an import is made, when it begins. Throws `ImportError` unless this user is active, may create projects in
 * the namespace at this moment, and may fork the project that is copied, if it is one.
 */
export async function checkImporter(
  database: Database,
  { user_id: userId, project_id, source_project_id: sourceId }: Import,
): Promise<Importer> {
  const project = await findProject(database, project_id)
  const importer = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  if (!project || importer?.state !== 'active') throw lostAccess()
  const namespace = await findNamespace(database, project.namespace_id)
  if (!namespace || (await refusalToCreateIn(database, namespace, importer))) throw lostAccess()
  if (sourceId !== null && !(await mayFork(database, userId, sourceId))) throw lostAccess()
  return { project, importer }
}

async function mayFork(database: Database, userId: number, projectId: number): Promise<boolean> {
  const giver = await giverNow(database, { userId, projectId, isReadOnlyAllowed: true })
  return giver !== undefined && may('fork_project', giver) && may('read_code', giver)
}

function lostAccess(): ImportError {
  return new ImportError('The user who started the import no longer has access')
}
