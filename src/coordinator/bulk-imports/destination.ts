import { problemOfPathName } from '../../addresses/path-name.js'
import type { User } from '../access/caller.js'
import { ownedGroup, refuseAtTop } from '../accounts/groups/groups.js'
import type { Database } from '../database/connect.js'
import type { NamespaceRow } from '../database/stores/namespace-store.js'
import { sameText } from '../database/text.js'
import { refusalToCreateIn } from '../hosting/projects/create/create-project.js'
import { invalidRecord, notFound } from '../http/errors.js'
import type { BulkImportEntity } from './store.js'

/** The group or personal namespace with this full path. */
export function namespaceAt(database: Database, fullPath: string): Promise<NamespaceRow | undefined> {
  return database
    .selectFrom('namespace')
    .selectAll()
    .where(({ ref }) => sameText(ref('full_path'), fullPath))
    .executeTakeFirst()
}

type Destination = Pick<BulkImportEntity, 'source_type' | 'destination_namespace' | 'destination_slug'>

/**
 * Throws `ApiError` unless the user may create the group or project there: at the top level with the right to create groups,
 * else as an owner of the group, or in the own namespace.
 */
export async function checkDestination(database: Database, wanted: Destination, user: User): Promise<void> {
  const { source_type, destination_namespace: path, destination_slug: slug } = wanted
  const problem = problemOfPathName(slug, path === '' ? 'top' : 'inside')
  if (problem) throw invalidRecord({ destination_slug: [problem] })
  if (path === '') {
    if (source_type === 'project_entity') {
      throw invalidRecord({ destination_namespace: ['is missing: projects belong to a group or a user'] })
    }
    refuseAtTop(user)
    return
  }
  const namespace = await namespaceAt(database, path)
  if (!namespace) throw notFound('Namespace')
  if (source_type === 'project_entity' && namespace.kind === 'user') {
    const refusal = await refusalToCreateIn(database, namespace, user)
    if (refusal) throw refusal
    return
  }
  await ownedGroup(database, String(namespace.id), user)
}
