import { Type } from 'typebox'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Awarded } from '../../hosting/award-emoji-store.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import type { CallerInProject } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { createAward, deleteAward, type Locked, requireAwardEmoji } from './awards.js'
import { type AwardDeps, listedAwards, oneAward } from './present.js'
import { AwardEmoji, OfMergeRequest } from './schema.js'

/** Emoji of merge requests (API, G5). */
export function mergeRequestAwardOperations(deps: AwardDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/award_emoji', {
      summary: 'List the emoji of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.list,
      responses: { 200: Type.Array(AwardEmoji) },
      paginated: true,
      run: async (call) =>
        listedAwards(deps, await awarded(database, call, call.params.merge_request_iid), call.paging),
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id', {
      summary: 'Get an emoji of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 200: AwardEmoji },
      run: async (call) => {
        const { merge_request_iid, award_id } = call.params
        return oneAward(
          deps,
          await requireAwardEmoji(database, await awarded(database, call, merge_request_iid), award_id),
        )
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/award_emoji', {
      summary: 'Add an emoji to a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.create,
      responses: { 201: AwardEmoji },
      run: async (call) => {
        const { merge_request_iid, name } = call.params
        const user = signedIn(call.user)
        const lock = (tx: Transaction) => locked(tx, call, merge_request_iid)
        return oneAward(deps, await createAward(database, lock, user, name))
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id', {
      summary: 'Delete an emoji of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const { merge_request_iid, award_id } = call.params
        return (await requireAwardEmoji(database, await awarded(database, call, merge_request_iid), award_id))
          .updated_at
      },
      run: async (call) => {
        const { merge_request_iid, award_id } = call.params
        const user = signedIn(call.user)
        await deleteAward(database, (tx) => locked(tx, call, merge_request_iid), user, award_id)
        return respond(204)
      },
    }),
  ]
}

async function awarded(database: Database, place: CallerInProject, iid: number): Promise<Awarded> {
  return { table: 'merge_request', id: (await requireMergeRequest(database, place, iid)).id }
}

async function locked(tx: Transaction, place: CallerInProject, iid: number): Promise<Locked> {
  const row = await lockTheMergeRequest(tx, place, iid)
  const isAllowed = !row.discussion_locked || place.membership >= ACCESS_LEVELS.guest
  return {
    awarded: { table: 'merge_request', id: row.id },
    isAllowed,
    hooked: { projectId: row.project_id, on: { type: 'MergeRequest', row } },
  }
}
