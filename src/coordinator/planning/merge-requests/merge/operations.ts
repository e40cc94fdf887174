import { Type } from 'typebox'

import { changerOf } from '../../../hosting/repositories/change/change-refs.js'
import { commitOfMergeRequest } from '../../../hosting/repositories/change/merge-request-refs.js'
import { apiError } from '../../../http/errors.js'
import { type Operation, operation, respond } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { signedIn } from '../../../http/viewer.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { SingleMergeRequest } from '../record-schema.js'
import { ByIid } from '../schema.js'
import { singleMergeRequest, type SingleRecordDeps } from '../single-record.js'
import { cancelAutoMerge, mergeAfterPipeline } from './auto-merge.js'
import { mergeNow } from './merge-now.js'
import type { BackgroundDeps } from './person-in-project.js'
import { requestRebase } from './rebase.js'
import { Merge, Rebase } from './schema.js'

export type MergeOperationDeps = SingleRecordDeps & BackgroundDeps

/** Merges and rebases (API, F4). Who may merge depends on the target branch. */
export function mergeOperations(deps: MergeOperationDeps): Operation[] {
  const { database, pushes } = deps
  return [
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/merge', {
      summary: 'Merge a merge request',
      access: 'read_merge_requests',
      params: Merge,
      responses: { 200: SingleMergeRequest },
      run: async (call) => {
        const caller = { ...call, user: signedIn(call.user) }
        const { merge_request_iid, merge_when_pipeline_succeeds, auto_merge, ...options } = call.params
        const row = await requireMergeRequest(database, call, merge_request_iid)
        const merge = (merge_when_pipeline_succeeds ?? auto_merge) ? mergeAfterPipeline : mergeNow
        return singleMergeRequest(deps, await merge(deps, changerOf(call), row, options), caller)
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds', {
      summary: 'Cancel the merge that waits for the pipeline',
      access: 'manage_merge_requests',
      params: ByIid,
      responses: { 201: Type.Object({ status: described(Type.Literal('success'), 'Always `success`.') }) },
      run: async (call) => {
        await cancelAutoMerge(database, changerOf(call), call.params.merge_request_iid)
        return respond(201, { status: 'success' } as const)
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', {
      summary: 'Rebase the source branch of a merge request',
      // Who may push to the source branch decides, which may be in a fork.
      access: 'read_merge_requests',
      params: Rebase,
      responses: {
        202: Type.Object({ rebase_in_progress: described(Type.Literal(true), 'Always true.') }),
      },
      run: async (call) => {
        const { merge_request_iid, skip_ci = false } = call.params
        const row = await requireMergeRequest(database, call, merge_request_iid)
        await requestRebase(deps, changerOf(call), row, skip_ci)
        return respond(202, { rebase_in_progress: true } as const)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/merge_ref', {
      summary: 'Get the commit of a trial merge',
      access: 'read_merge_requests',
      params: ByIid,
      responses: {
        200: Type.Object({
          commit_id: described(
            Type.String(),
            'ID of the commit to which `refs/merge-requests/:iid/merge` points.',
          ),
        }),
      },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const { repositories } = pushes
        const { id } = call.project
        const commit = await repositories.withSlot(id, 'inner', () =>
          commitOfMergeRequest(repositories.path(id), row.iid, 'merge'),
        )
        if (row.merge_status !== 'can_be_merged' || commit === undefined) {
          throw apiError('merge_ref_not_available')
        }
        return { commit_id: commit }
      },
    }),
  ]
}
