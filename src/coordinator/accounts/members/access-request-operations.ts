import { Type } from 'typebox'

import { LEVEL_NAMES } from '../../access/level-names.js'
import type { Access } from '../../access/permissions.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { signedIn } from '../../http/viewer.js'
import {
  approveRequest,
  denyRequest,
  listRequesters,
  requestAccess,
  type RequesterRow,
} from './access-requests.js'
import type { MemberOperationsDeps, MemberRoutes } from './owner-routes.js'
import { presentMembers } from './present.js'
import { AccessRequest, ApproveRequest, Member, MemberId } from './schema.js'

/** Access requests: users who request membership (API, C3). */
export function accessRequestOperations<A extends Access>(
  deps: MemberOperationsDeps,
  owner: MemberRoutes<A>,
): Operation[] {
  const { database, externalUrl } = deps
  const { routes, of, read, leave, admin, adminLevel, at } = owner
  return [
    operation(routes.listAccessRequests, {
      summary: `List access requests of ${of}`,
      access: admin,
      responses: { 200: Type.Array(AccessRequest) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listRequesters(database, at(call).source, call.paging)
        return page(rows.map(present), total)
      },
    }),
    operation(routes.requestAccess, {
      summary: `Request access to ${of}`,
      access: read,
      responses: { 201: AccessRequest },
      run: async (call) => {
        const { source, user } = at(call)
        return present(await requestAccess(database, source, signedIn(user)))
      },
    }),
    operation(routes.approveAccessRequest, {
      summary: `Approve an access request of ${of}`,
      access: admin,
      params: ApproveRequest,
      responses: { 201: Member },
      audit: (_call, { access_level }) => ({
        add: 'user_access',
        as: LEVEL_NAMES.get(Number(access_level)) ?? null,
      }),
      run: async (call) => {
        const { user_id, access_level } = call.params
        const { source, ...actor } = at(call)
        const member = await approveRequest(database, source, user_id, access_level, actor)
        return (await presentMembers(deps, [member], actor.user))[0]
      },
    }),
    operation(routes.denyAccessRequest, {
      summary: `Deny an access request of ${of}, or withdraw it`,
      access: leave,
      params: MemberId,
      responses: { 204: NoBody },
      run: async (call) => {
        const { source, ...actor } = at(call)
        await denyRequest(database, source, call.params.user_id, actor, adminLevel)
        return respond(204)
      },
    }),
  ]

  function present(row: RequesterRow): AccessRequest {
    return { ...presentUser(row, externalUrl), requested_at: isoTime(row.requested_at) }
  }
}
