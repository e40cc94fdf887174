import { Type } from 'typebox'

import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { isoDateOrNull, isoTime } from '../../http/present-time.js'
import { presentUser } from '../../http/present-user.js'
import {
  addMember,
  addMembers,
  changeMember,
  existingMember,
  type MemberDeps,
  removeMember,
  whoToAdd,
} from './members.js'
import { AddMember, EditMember, ListMembers, Member, MemberId, MembersAdded } from './schema.js'
import { listMembers, type MemberRow } from './store.js'

export function memberOperations(deps: MemberDeps & { externalUrl: string }): Operation[] {
  const { database } = deps
  return [
    list('GET /projects/:id/members', 'List the members of a project'),
    // Groups have no members of their own yet, so nothing is inherited.
    list('GET /projects/:id/members/all', 'List the members of a project, inherited ones included'),
    get('GET /projects/:id/members/:user_id', 'Get a member of a project'),
    get('GET /projects/:id/members/all/:user_id', 'Get a member of a project, inherited ones included'),
    operation('POST /projects/:id/members', {
      summary: 'Add a member',
      access: 'admin_members',
      params: AddMember,
      atLeastOne: [['user_id', 'username']],
      answers: { 201: Type.Union([Member, MembersAdded]) },
      run: async ({ project, params, accessLevel }) => {
        const [first, ...more] = whoToAdd(params)
        if (first === undefined || more.length > 0) {
          return addMembers(deps, project, whoToAdd(params), params, accessLevel)
        }
        return present(await addMember(deps, project, first, params, accessLevel))
      },
    }),
    operation('PUT /projects/:id/members/:user_id', {
      summary: "Change a member's level or expiry",
      access: 'admin_members',
      params: EditMember,
      answers: { 200: Member },
      run: async ({ project, params, accessLevel }) =>
        present(await changeMember(deps, project, params.user_id, params, accessLevel)),
    }),
    operation('DELETE /projects/:id/members/:user_id', {
      summary: 'Remove a member, or leave',
      access: 'leave_project',
      params: MemberId,
      answers: { 204: NoBody },
      run: async ({ project, params, user, accessLevel }) => {
        await removeMember(deps, project, params.user_id, { user, accessLevel })
        return answer(204)
      },
    }),
  ]

  function list(route: `GET /${string}`, summary: string): Operation {
    return operation(route, {
      summary,
      access: 'read_members',
      params: ListMembers,
      answers: { 200: Type.Array(Member) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listMembers(database, project.id, params, paging)
        return page(rows.map(present), total)
      },
    })
  }

  function get(route: `GET /${string}`, summary: string): Operation {
    return operation(route, {
      summary,
      access: 'read_members',
      params: MemberId,
      answers: { 200: Member },
      run: async ({ project, params }) => present(await existingMember(database, project, params.user_id)),
    })
  }

  function present(row: MemberRow): Member {
    return {
      ...presentUser(row, deps.externalUrl),
      access_level: row.access_level,
      expires_at: isoDateOrNull(row.expires_at),
      created_at: isoTime(row.joined_at),
      membership_state: 'active',
    }
  }
}
