import { createGroupDirectory } from '../../accounts/groups/group-directory.js'
import type { Operation } from '../../http/operation.js'
import { liveOperations } from '../../live/operations.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'

/** The stream of changes. */
export function listLiveOperations({ database, live }: Services, deps: OperationListDeps): Operation[] {
  const { build, findProject, projectAccessOf, readCaller, stopping } = deps
  const groups = createGroupDirectory(database)
  return liveOperations({
    database,
    live,
    build,
    groups,
    findProject,
    projectAccessOf,
    readCaller,
    stopping,
  })
}
