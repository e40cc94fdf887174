import { OWNER } from '../access/access-levels.js'
import type { Project, User } from '../access/caller.js'
import { ownedGroup } from '../accounts/groups/groups.js'
import type { Database } from '../database/connect.js'
import type { NamespaceRow } from '../database/stores/namespace-store.js'
import { ApiError } from '../http/errors.js'
import { giverNow } from '../intentions/giver.js'
import { BulkImportError, ImportEndedError } from './errors.js'
import type { BulkImport, BulkImportEntity } from './store.js'

/** The user who imports, and the copy that is filled, if it exists already. */
export interface Importer {
  user: User
  group?: NamespaceRow
  project?: Project
}

/**
 * Reads with whose rights an import is made, and whether these suffice at this moment: the user must own the copy. Throws
 * `ImportEndedError` if the user is not active, and `BulkImportError` if the copy is not the user's any more.
 */
export async function checkImporter(
  database: Database,
  { user_id: userId, dry_run }: BulkImport,
  { group_id, project_id, step }: BulkImportEntity,
): Promise<Importer> {
  const user = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  if (user?.state !== 'active')
    throw new ImportEndedError('The user who started the import is not active any more')
  if (group_id !== null) return { user, group: await ownGroup(database, group_id, user) }
  if (project_id !== null) return { user, project: await ownProject(database, project_id, user) }
  // Without the copy there is nothing to fill: it was deleted after the first step.
  const isFirst = step === null || step === 'group' || step === 'project'
  if (!isFirst && !dry_run) throw new BulkImportError('The copy was deleted during the import')
  return { user }
}

async function ownGroup(database: Database, id: number, user: User): Promise<NamespaceRow> {
  try {
    return await ownedGroup(database, String(id), user)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw lostAccess(error)
  }
}

async function ownProject(database: Database, projectId: number, user: User): Promise<Project> {
  const giver = await giverNow(database, { userId: user.id, projectId })
  if (!giver || giver.accessLevel < OWNER) throw lostAccess()
  return giver.project
}

function lostAccess(cause?: unknown): BulkImportError {
  return new BulkImportError('The user who started the import does not own the copy any more', { cause })
}
