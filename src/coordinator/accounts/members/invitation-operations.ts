import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoDateOrNull, isoTime } from '../../http/presenters/present-time.js'
import {
  changeInvitation,
  deleteInvitation,
  type InvitationRow,
  invite,
  listInvitations,
} from './invitations.js'
import type { MemberOperationsDeps, MemberRoutes } from './owner-routes.js'
import {
  EditInvitation,
  Invitation,
  InvitationEmail,
  Invite,
  ListInvitations,
  MembersAdded,
} from './schema.js'

/** Invitations of members by e-mail address, with or without an account (API, C3). */
export function invitationOperations<A extends Access>(
  deps: MemberOperationsDeps,
  owner: MemberRoutes<A>,
): Operation[] {
  const { database } = deps
  const { routes, of, admin, at } = owner
  return [
    operation(routes.listInvitations, {
      summary: `List pending invitations of ${of}`,
      access: admin,
      params: ListInvitations,
      responses: { 200: Type.Array(Invitation) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listInvitations(
          database,
          at(call).source,
          call.params.query,
          call.paging,
        )
        return page(rows.map(present), total)
      },
    }),
    operation(routes.invite, {
      summary: `Invite people to ${of} by e-mail`,
      access: admin,
      params: Invite,
      exactlyOne: [['email', 'user_id']],
      responses: { 201: MembersAdded },
      run: (call) => {
        const { source, ...actor } = at(call)
        return invite(deps, source, call.params, actor)
      },
    }),
    operation(routes.changeInvitation, {
      summary: `Update an invitation of ${of}`,
      access: admin,
      params: EditInvitation,
      responses: { 200: Invitation },
      run: async (call) => {
        const { email, ...changes } = call.params
        const { source, ...actor } = at(call)
        return present(await changeInvitation(database, source, email, changes, actor))
      },
    }),
    operation(routes.deleteInvitation, {
      summary: `Delete an invitation of ${of}`,
      access: admin,
      params: InvitationEmail,
      responses: { 204: NoBody },
      run: async (call) => {
        await deleteInvitation(database, at(call).source, call.params.email)
        return respond(204)
      },
    }),
  ]
}

function present(row: InvitationRow): Invitation {
  const { id, email, access_level, created_by_name } = row
  return {
    id,
    email,
    invite_email: email,
    access_level,
    created_by_name,
    user_name: null,
    created_at: isoTime(row.created_at),
    expires_at: isoDateOrNull(row.expires_at),
  }
}
