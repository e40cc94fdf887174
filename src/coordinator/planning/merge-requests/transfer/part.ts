import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import {
  deleteOtherMergeRequestRefs,
  refOfMergeRequest,
} from '../../../hosting/repositories/change/merge-request-refs.js'
import { moveRefs } from '../../../hosting/repositories/compared-branches.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { apiError, invalidRecord } from '../../../http/errors.js'
import { mergeRequestIids } from '../../stores/merge-request-archive-store.js'
import { findMergeRequest } from '../../stores/merge-request-store.js'
import { mergeRequestsOf } from './read.js'
import { TransferredMergeRequest } from './schema.js'
import { writeMergeRequest } from './write.js'

export interface MergeRequestPartDeps {
  database: Database
  repositories: Pick<Repositories, 'path' | 'withSlot' | 'resolveCommit'>
}

/**
 * Import and export of the merge requests into a project, with their versions. The commits of their heads are refs of
 * the repository in the archive, so that they do not depend on source branches. Authors and other people are kept only
 * if an administrator imports the archive; otherwise they are the importer.
 */
export function mergeRequestPart(deps: MergeRequestPartDeps): TransferPart {
  const { database, repositories } = deps
  return transferPart({
    name: 'merge_requests',
    schema: TransferredMergeRequest,
    read: ({ id }) => mergeRequestsOf(database, id),
    identityOf: ({ iid }) => iid,
    write: async (target, record) => {
      await placeHead(deps, target.project.id, record)
      try {
        await inTransaction(database, (tx) => writeMergeRequest(tx, target, record))
      } catch (error) {
        if (isUniqueViolation(error)) throw apiError('merge_request_duplicated')
        throw error
      }
    },
    finish: async ({ project: { id } }) => {
      const iids = await mergeRequestIids(database, id)
      await repositories.withSlot(id, 'tasks', () => deleteOtherMergeRequestRefs(repositories.path(id), iids))
    },
  })
}

/**
 * Makes the ref of a merge request name its head. Of an open one the refresh does that; its branch may have moved while
 * the archive was made. Throws 400 for a commit that is not in the repository.
 */
async function placeHead(
  { database, repositories }: MergeRequestPartDeps,
  projectId: number,
  { iid, state, head_sha }: TransferredMergeRequest,
): Promise<void> {
  if (state === 'opened' || typeof head_sha !== 'string') return
  if ((await repositories.resolveCommit(projectId, head_sha)) === undefined) {
    throw invalidRecord({ head_sha: ['is not a commit of the repository'] })
  }
  // The number may be that of a merge request that was written before this record.
  if (await findMergeRequest(database, projectId, iid)) throw apiError('merge_request_duplicated')
  await repositories.withSlot(projectId, 'tasks', () =>
    moveRefs(repositories.path(projectId), { [refOfMergeRequest(iid, 'head')]: head_sha }),
  )
}
