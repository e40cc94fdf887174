import { Type } from 'typebox'

import { forbidden } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { presentUser, PublicUser } from '../../http/presenters/present-user.js'
import { UserAgentDetail } from '../../http/presenters/user-agent-detail.js'
import { signedIn } from '../../http/viewer.js'
import { requireIssue } from '../access/issue-access.js'
import { subscriptionOperationsOn } from '../subscription-operations.js'
import { cloneIssue, moveIssue } from './move.js'
import type { PresentDeps } from './present.js'
import { SingleIssue } from './record-schema.js'
import { reorderIssue } from './reorder.js'
import { ByIid, CloneIssue, MoveIssue, ReorderIssue } from './schema.js'
import { singleIssue } from './single-record.js'
import { changeSubscription, participantsOf } from './subscriptions.js'

/** Subscriptions, participants, moves and the order of issues (API, F2). */
export function issueActionOperations(deps: PresentDeps): Operation[] {
  return [...subscriptionOperations(deps), ...placeOperations(deps), ...detailOperations(deps)]
}

function subscriptionOperations(deps: PresentDeps): Operation[] {
  return subscriptionOperationsOn<'read_issues', { issue_iid: number }>({
    routes: {
      subscribe: 'POST /projects/:id/issues/:issue_iid/subscribe',
      unsubscribe: 'POST /projects/:id/issues/:issue_iid/unsubscribe',
    },
    of: 'an issue',
    access: 'read_issues',
    params: ByIid,
    schema: SingleIssue,
    change: async (call, subscribed) => {
      const user = signedIn(call.user)
      const row = await changeSubscription(
        deps.database,
        { ...call, user },
        call.params.issue_iid,
        subscribed,
      )
      return row && singleIssue(deps, row, user)
    },
  })
}

function placeOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/:id/issues/:issue_iid/move', {
      summary: 'Move an issue to another project',
      access: 'read_issues',
      params: MoveIssue,
      responses: { 201: SingleIssue },
      run: async (call) => {
        const user = signedIn(call.user)
        const { issue_iid, to_project_id } = call.params
        return singleIssue(deps, await moveIssue(database, { ...call, user }, issue_iid, to_project_id), user)
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/clone', {
      summary: 'Copy an issue',
      access: 'read_issues',
      params: CloneIssue,
      responses: { 201: SingleIssue },
      run: async (call) => {
        const user = signedIn(call.user)
        const { issue_iid, to_project_id: toProjectId, with_notes: withNotes = false } = call.params
        const wanted = { toProjectId, withNotes }
        return singleIssue(deps, await cloneIssue(database, { ...call, user }, issue_iid, wanted), user)
      },
    }),
    operation('PUT /projects/:id/issues/:issue_iid/reorder', {
      summary: 'Change the place of an issue in the manual order',
      access: 'manage_issues',
      params: ReorderIssue,
      responses: { 200: SingleIssue },
      run: async (call) => singleIssue(deps, await reorderIssue(database, call, call.params), call.user),
    }),
  ]
}

function detailOperations({ database, externalUrl }: PresentDeps): Operation[] {
  return [
    operation('GET /projects/:id/issues/:issue_iid/participants', {
      summary: 'List the participants of an issue',
      access: 'read_issues',
      params: ByIid,
      responses: { 200: Type.Array(PublicUser) },
      paginated: true,
      run: async (call) => {
        const users = await participantsOf(
          database,
          await requireIssue(database, call, call.params.issue_iid),
        )
        const { offset, perPage } = call.paging
        const shown = users.slice(offset, offset + perPage).map((user) => presentUser(user, externalUrl))
        return page(shown, users.length)
      },
    }),
    operation('GET /projects/:id/issues/:issue_iid/user_agent_detail', {
      summary: 'Get the program and the address from which an issue was created',
      access: 'read_issues',
      params: ByIid,
      responses: { 200: UserAgentDetail },
      run: async (call) => {
        const user = signedIn(call.user)
        const { user_agent, ip_address } = await requireIssue(database, call, call.params.issue_iid)
        if (!user.is_admin) throw forbidden()
        return { user_agent, ip_address, akismet_submitted: false }
      },
    }),
  ]
}
