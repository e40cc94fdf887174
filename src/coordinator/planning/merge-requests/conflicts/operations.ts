import { clientGone } from '../../../http/client-gone.js'
import { type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import type { BackgroundDeps } from '../merge/person-in-project.js'
import { ByIid } from '../schema.js'
import { listConflicts, resolveConflicts } from './conflicts.js'
import { Conflicts, ResolveConflicts, Resolved } from './schema.js'

/** Conflicts of merge requests, for their pages. Who may push to the source branch resolves them. */
export function conflictOperations(deps: BackgroundDeps): Operation[] {
  const { database } = deps.pushes
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/conflicts', {
      summary: 'List the files of a merge request with conflicts',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Conflicts },
      run: async (call) => {
        const userId = signedIn(call.user).id
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        return listConflicts(deps, { userId, row, signal: clientGone(call.reply) })
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/conflicts', {
      summary: 'Resolve the conflicts of a merge request by a merge into its source branch',
      access: 'read_merge_requests',
      params: ResolveConflicts,
      responses: { 201: Resolved },
      run: async (call) => {
        const userId = signedIn(call.user).id
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const request = { userId, row, signal: clientGone(call.reply) }
        return respond(201, { commit_id: await resolveConflicts(deps, request, call.params) })
      },
    }),
  ]
}
