import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import { lockTheMergeRequest, requireMergeRequest } from '../../access/merge-request-access.js'
import { MarkFiles, OfMergeRequest, ViewedFiles } from './schema.js'
import { deleteViewed, insertViewed, listViewed } from './store.js'

/** The changed files that a reviewer has viewed, for the page of the changes. */
export function viewedFileOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/viewed_files', {
      summary: 'List the changed files of a merge request that the caller has marked as viewed',
      access: 'read_merge_requests',
      params: OfMergeRequest,
      responses: { 200: ViewedFiles },
      run: async (call) => {
        const { id: userId } = signedIn(call.user)
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        return { digests: await listViewed(database, { mergeRequestId: id, userId }) }
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files', {
      summary: 'Mark changed files of a merge request as viewed by the caller, or as not viewed',
      access: 'read_merge_requests',
      params: MarkFiles,
      responses: { 204: NoBody },
      changesOwnMarks: true,
      run: async (call) => {
        const { id: userId } = signedIn(call.user)
        const { merge_request_iid, digests, viewed } = call.params
        await inTransaction(database, async (tx) => {
          const { id } = await lockTheMergeRequest(tx, call, merge_request_iid)
          const change = viewed ? insertViewed : deleteViewed
          await change(tx, { mergeRequestId: id, userId }, [...new Set(digests)])
        })
        return respond(204)
      },
    }),
  ]
}
