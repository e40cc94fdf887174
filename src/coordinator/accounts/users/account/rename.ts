import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import type { Transaction } from '../../../database/transaction.js'
import { leavePathsOfNamespaces, takePath, takePathsInside } from '../../../hosting/paths/redirects.js'

/**
 * Renames the personal namespace with its user, and moves its projects; the previous paths redirect to the
 * new ones. Repositories on disk are named by project ID and do not move.
 */
export async function renamePersonalNamespace(tx: Transaction, before: User, after: User): Promise<void> {
  const own = sql`(select id from namespace where owner_id = ${after.id} and kind = 'user')`
  const isMoved = before.username !== after.username
  if (isMoved) await leavePathsOfNamespaces(tx, own)
  const namespace = await tx
    .updateTable('namespace')
    .set({ name: after.name, path: after.username, full_path: after.username })
    .where('owner_id', '=', after.id)
    .where('kind', '=', 'user')
    .returning('id')
    .executeTakeFirst()
  if (!namespace || !isMoved) return
  const rest = before.username.length + 1
  await tx
    .updateTable('project')
    .set({ full_path: sql<string>`cast(${after.username} as text) || substr(full_path, ${sql.lit(rest)})` })
    .where('namespace_id', '=', namespace.id)
    .execute()
  await takePath(tx, after.username)
  await takePathsInside(tx, own)
}
