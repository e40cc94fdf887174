import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import { updatePersonalNamespace } from '../../../database/stores/namespace-store.js'
import { replacePathPrefixOfProjects } from '../../../database/stores/project-store.js'
import type { Transaction } from '../../../database/transaction.js'
import {
  addRedirectsOfNamespaces,
  deleteRedirect,
  deleteRedirectsInside,
} from '../../../hosting/paths/redirects.js'

/**
 * Renames the personal namespace with its user, and moves its projects; the previous paths redirect to the
 * new ones. Repositories on disk are named by project ID and do not move.
 */
export async function renamePersonalNamespace(tx: Transaction, before: User, after: User): Promise<void> {
  const own = sql`(select id from namespace where owner_id = ${after.id} and kind = 'user')`
  const isMoved = before.username !== after.username
  if (isMoved) await addRedirectsOfNamespaces(tx, own)
  const namespaceId = await updatePersonalNamespace(tx, after.id, {
    name: after.name,
    path: after.username,
    full_path: after.username,
  })
  if (namespaceId === undefined || !isMoved) return
  await replacePathPrefixOfProjects(tx, sql`(${namespaceId})`, before.username, after.username)
  await deleteRedirect(tx, after.username)
  await deleteRedirectsInside(tx, own)
}
