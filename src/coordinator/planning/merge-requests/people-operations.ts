import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser, PublicUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { signedIn } from '../../http/viewer.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { reviewersOf } from '../stores/merge-request-store.js'
import { subscriptionOperationsOn } from '../subscription-operations.js'
import { changeSubscription, participantIds } from './participants.js'
import { SingleMergeRequest } from './record-schema.js'
import { ByIid, Reviewer } from './schema.js'
import { singleMergeRequest, type SingleRecordDeps } from './single-record.js'

/** Subscriptions, participants and reviewers of merge requests (API, F4). */
export function peopleOperations(deps: SingleRecordDeps): Operation[] {
  return [...subscriptionOperations(deps), ...listOperations(deps)]
}

function subscriptionOperations(deps: SingleRecordDeps): Operation[] {
  return subscriptionOperationsOn<'read_merge_requests', { merge_request_iid: number }>({
    routes: {
      subscribe: 'POST /projects/:id/merge_requests/:merge_request_iid/subscribe',
      unsubscribe: 'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe',
    },
    of: 'a merge request',
    access: 'read_merge_requests',
    params: ByIid,
    schema: SingleMergeRequest,
    change: async (call, subscribed) => {
      const caller = { ...call, user: signedIn(call.user) }
      const { merge_request_iid: iid } = call.params
      const row = await changeSubscription(deps.database, caller, iid, subscribed)
      return row && singleMergeRequest(deps, row, call)
    },
  })
}

function listOperations({ database, externalUrl }: SingleRecordDeps): Operation[] {
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/participants', {
      summary: 'List the participants of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.Array(PublicUser) },
      paginated: true,
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const ids = await participantIds(database, row, 'public')
        const { offset, perPage } = call.paging
        const shown = ids.slice(offset, offset + perPage)
        const users = await usersById(database, shown)
        const records = shown.flatMap((id) => users.get(id) ?? [])
        return page(
          records.map((user) => presentUser(user, externalUrl)),
          ids.length,
        )
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/reviewers', {
      summary: 'List the reviewers of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.Array(Reviewer) },
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const reviewers = (await reviewersOf(database, [id])).get(id) ?? []
        const users = await usersById(
          database,
          reviewers.map(({ user_id }) => user_id),
        )
        return reviewers.flatMap(({ user_id, state, created_at }) => {
          const user = users.get(user_id)
          return user
            ? [{ user: presentUser(user, externalUrl), state, created_at: isoTime(created_at) }]
            : []
        })
      },
    }),
  ]
}
