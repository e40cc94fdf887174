import { randomBytes } from 'node:crypto'

import { HOUR } from '../../../../lib/time-units.js'
import type { Project, User } from '../../../access/caller.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { sameText } from '../../../database/text.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, forbidden } from '../../../http/errors.js'
import { refuseRestricted } from '../../restricted-visibility.js'
import {
  checkedNamespace,
  type CreateProjectDeps,
  namesOf,
  newProject,
  newProjectSettings,
  refuseSource,
  refuseTooMany,
} from '../create/create-project.js'
import { addImport, releaseImport } from '../import-store.js'
import { mayDeleteProject } from '../may-delete.js'
import { checkSettings } from '../settings/check-settings.js'
import { refuseTaken } from '../settings/refuse-taken.js'
import { refuseTooOpen } from '../settings/visibility.js'
import {
  deleteProjectRow,
  findNamespaceBy,
  findPersonalNamespace,
  insertProject,
  type Namespace,
} from '../store.js'
import type { ImportArchive } from './import-archive-schema.js'

export interface StartImportDeps extends CreateProjectDeps {
  blobs: BlobStore
}

/** Time within which an archive must be stored, in milliseconds. */
const STORED_WITHIN = HOUR

/**
 * Creates a project that the import worker fills from the archive; `import_status` shows the progress (API,
 * C2). Throws `ApiError` if the user may not create a project there.
 */
export async function startImport(
  deps: StartImportDeps,
  params: ImportArchive,
  user: User,
): Promise<Project> {
  const { database, blobs, imports } = deps
  checkSettings(params.override_params ?? {}, user)
  refuseSource('gitlab_project', await newProjectSettings(database))
  await refuseTooLarge(database, params.file.size)
  const project = await inTransaction(database, (tx) => createTargetProject(tx, deps, params, user))
  try {
    await blobs.write(archiveKey(project.id), params.file.open())
    await releaseImport(database, project.id)
  } catch (error) {
    await deleteProjectRow(database, project.id)
    throw error
  }
  imports.wake()
  return project
}

/** Throws 413 for an archive that is larger than administrators allow. */
async function refuseTooLarge(database: Database, size: number): Promise<void> {
  const { max_import_size: megabytes } = await effectiveSettings(database, 'max_import_size')
  if (megabytes > 0 && size > megabytes * 1024 * 1024) throw apiError('body_too_large')
}

/** Blob key below the folder of the project, which is deleted with the project. */
function archiveKey(projectId: number): string {
  return `projects/${projectId}/imports/archive.tar.gz`
}

async function createTargetProject(
  tx: Transaction,
  deps: StartImportDeps,
  params: ImportArchive,
  user: User,
): Promise<Project> {
  const { override_params: settings } = params
  const namespace = await checkedNamespace(tx, await findTarget(tx, params, user), user)
  const old = params.overwrite ? await overwritten(tx, params, namespace, user) : undefined
  await refuseTooMany(tx, namespace, user)
  if (settings?.visibility) {
    refuseTooOpen(settings.visibility, namespace)
    await refuseRestricted(tx, settings.visibility, user)
  }
  const names = namesOf({ name: params.name ?? params.path, path: params.path })
  const current = old ? besides(names) : names
  await refuseTaken(tx, namespace, current)
  const project = await insertProject(
    tx,
    {
      ...newProject(deps, { visibility: 'private' }, current, namespace, user),
      import_status: 'scheduled',
      import_type: 'gitlab_project',
    },
    namespace.kind === 'user' ? (namespace.owner_id ?? user.id) : undefined,
  )
  await addImport(tx, {
    project_id: project.id,
    user_id: user.id,
    archive_key: archiveKey(project.id),
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(old && { overwrites_id: old.id, final_name: names.name, final_path: names.path }),
    claimed_until: Date.now() + STORED_WITHIN,
  })
  return project
}

function findTarget(
  database: Database,
  { namespace }: ImportArchive,
  user: User,
): Promise<Namespace | undefined> {
  return namespace ? findNamespaceBy(database, namespace) : findPersonalNamespace(database, user.id)
}

/** The project that the import replaces, if any. Throws 403 unless the user may delete it. */
async function overwritten(
  tx: Transaction,
  params: ImportArchive,
  namespace: Namespace,
  user: User,
): Promise<Project | undefined> {
  const old = await tx
    .selectFrom('project')
    .selectAll()
    .where('namespace_id', '=', namespace.id)
    .where(({ ref }) => sameText(ref('path'), params.path))
    .executeTakeFirst()
  if (old && !(await mayDeleteProject(tx, user.id, old.id))) throw forbidden()
  return old
}

/** Temporary name and path, used until the replaced project is deleted. */
function besides({ name, path }: { name: string; path: string }): { name: string; path: string } {
  const mark = `import-${randomBytes(4).toString('hex')}`
  return { name: `${name.slice(0, 230)} ${mark}`, path: `${path.slice(0, 230)}-${mark}` }
}
