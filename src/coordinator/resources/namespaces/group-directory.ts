import type { Database } from '../../database/connect.js'
import type { GroupDirectory } from '../../http/handle-operation.js'
import type { User } from '../../http/operation.js'
import { findNamespace, type NamespaceRow } from './store.js'

const OWNER = 50

/** Finds the group of a path, and how a user stands to it. */
export function createGroupDirectory(database: Database): GroupDirectory {
  return {
    find: async (idOrPath) => {
      const namespace = await findNamespace(database, idOrPath)
      return namespace?.kind === 'group' ? namespace : undefined
    },
    membershipOf: async (user, group) => ((await ownsGroup(database, group, user)) ? OWNER : 0),
  }
}

/** Who owns a group owns those in it. */
export async function ownsGroup(database: Database, group: NamespaceRow, user: User): Promise<boolean> {
  if (group.owner_id === user.id) return true
  const parent = group.parent_id && (await findNamespace(database, String(group.parent_id)))
  return parent ? ownsGroup(database, parent, user) : false
}
