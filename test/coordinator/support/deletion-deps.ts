import type { RemovalDeps } from '../../../src/coordinator/accounts/users/deletion/delete-user.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { deleteProjectRow } from '../../../src/coordinator/hosting/projects/store.js'
import { createLogger } from '../../../src/lib/logger.js'

/** What removing users takes, where no pipelines run; ids of projects that go are added to `deleted`. */
export function removalDeps(database: Database, deleted: number[]): RemovalDeps {
  return {
    database,
    logger: createLogger('test', 'silent'),
    cancelWork: () => Promise.resolve(),
    deleteProject: async (projectId) => {
      await deleteProjectRow(database, projectId)
      deleted.push(projectId)
    },
    deletePipelinesOf: () => Promise.resolve(),
    deleteAvatars: () => Promise.resolve(),
  }
}
