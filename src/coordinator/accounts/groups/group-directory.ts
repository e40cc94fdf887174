import { createGroupLevelsReader, highest } from '../../access/membership-levels.js'
import type { Database } from '../../database/connect.js'
import type { GroupDirectory } from '../../http/handle-operation.js'
import { findNamespace } from './store.js'

/**
 * Finds the group of a path, and the access level of a user in it: direct, inherited, or by a share (API,
 * A15).
 */
export function createGroupDirectory(database: Database): GroupDirectory {
  const levelsOf = createGroupLevelsReader(database)
  return {
    find: async (idOrPath) => {
      const namespace = await findNamespace(database, idOrPath)
      return namespace?.kind === 'group' ? namespace : undefined
    },
    membershipOf: async (user, group) => highest(await levelsOf(user.id, group.id)),
  }
}
