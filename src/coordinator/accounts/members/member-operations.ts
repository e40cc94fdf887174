import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { LEVEL_NAMES } from '../../access/level-names.js'
import type { Access } from '../../access/permissions.js'
import { NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoDateOrNull } from '../../http/presenters/present-time.js'
import { presentUser, PublicUser } from '../../http/presenters/present-user.js'
import { memberSources } from './member-sources.js'
import { addMember, addMembers, changeMember, deleteMember, existingMember, whoToAdd } from './members.js'
import type { MemberOperationsDeps, MemberRoutes } from './owner-routes.js'
import { presentMembers } from './present.js'
import {
  AddMember,
  EditMember,
  ListMembers,
  ListMemberSources,
  ListUsersOfProject,
  Member,
  MemberId,
  MembersAdded,
  MemberSource,
  RemoveMember,
} from './schema.js'
import { sourceOfProject } from './source.js'
import { findMember, listMembers, type MemberRow, type MemberScope } from './store.js'

/** Users with access to a project, direct or inherited. */
export function usersOfProjectOperations({ database, externalUrl }: MemberOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/users', {
      summary: 'List users with access to a project',
      access: 'read_members',
      params: ListUsersOfProject,
      responses: { 200: Type.Array(PublicUser) },
      paginated: true,
      run: async ({ project, params: { search, skip_users }, user, paging }) => {
        const scope = { source: sourceOfProject(project), all: { viewer: user } }
        const { rows, total } = await listMembers(database, scope, { query: search, skip_users }, paging)
        return page(
          rows.map((row) => presentUser(row, externalUrl)),
          total,
        )
      },
    }),
  ]
}

export function memberRowOperations<A extends Access>(
  deps: MemberOperationsDeps,
  owner: MemberRoutes<A>,
): Operation[] {
  const { database } = deps
  const { routes, of, read, leave, admin, at } = owner
  return [
    list(routes.listMembers, `List members of ${of}`, false),
    list(routes.listAllMembers, `List members of ${of}, including inherited members`, true),
    operation(routes.listMemberSources, {
      summary: `List the memberships that give users access to ${of}`,
      access: read,
      params: ListMemberSources,
      responses: { 200: Type.Array(MemberSource) },
      run: (call) => {
        const { source, user } = at(call)
        return memberSources(database, source, user, call.params.user_ids)
      },
    }),
    get(routes.getMember, `Get a member of ${of}`, false),
    get(routes.getAnyMember, `Get a member of ${of}, including inherited members`, true),
    operation(routes.addMember, {
      summary: `Add a member to ${of}`,
      access: admin,
      params: AddMember,
      atLeastOne: [['user_id', 'username']],
      responses: { 201: Type.Union([Member, MembersAdded]) },
      audit: ({ params }) => ({
        add: 'user_access',
        as: LEVEL_NAMES.get(Number(params['access_level'])) ?? null,
      }),
      run: async (call) => {
        const everybody = whoToAdd(call.params)
        const [first, ...more] = everybody
        const { source, ...actor } = at(call)
        if (first === undefined || more.length > 0) {
          return addMembers(deps, source, everybody, call.params, actor)
        }
        return one(await addMember(deps, source, first, call.params, actor), actor.user)
      },
    }),
    operation(routes.changeMember, {
      summary: `Update a member of ${of}`,
      access: admin,
      params: EditMember,
      responses: { 200: Member },
      changes: {
        attributes: ['access_level', 'expires_at'],
        before: async (call) => {
          const row = await findMember(database, { source: at(call).source }, call.params.user_id)
          return row && { access_level: row.access_level, expires_at: isoDateOrNull(row.expires_at) }
        },
      },
      run: async (call) => {
        const { user_id, ...grant } = call.params
        const { source, ...actor } = at(call)
        return one(await changeMember(database, source, user_id, grant, actor), actor.user)
      },
    }),
    operation(routes.deleteMember, {
      summary: `Remove a member of ${of}, or leave`,
      access: leave,
      params: RemoveMember,
      audit: () => ({ remove: 'user_access' }),
      responses: { 204: NoBody },
      run: async (call) => {
        const { user_id, skip_subresources } = call.params
        const { source, ...actor } = at(call)
        await deleteMember(database, source, user_id, actor, skip_subresources)
        return respond(204)
      },
    }),
  ]

  function list(route: Route, summary: string, all: boolean): Operation {
    return operation(route, {
      summary,
      access: read,
      params: ListMembers,
      responses: { 200: Type.Array(Member) },
      paginated: true,
      run: async (call) => {
        const { source, user } = at(call)
        const scope: MemberScope = { source, ...(all ? { all: { viewer: user } } : {}) }
        const { rows, total } = await listMembers(database, scope, call.params, call.paging)
        return page(await presentMembers(deps, rows, user), total)
      },
    })
  }

  function get(route: Route, summary: string, all: boolean): Operation {
    return operation(route, {
      summary,
      access: read,
      params: MemberId,
      responses: { 200: Member },
      run: async (call) => {
        const { source, user } = at(call)
        const scope: MemberScope = { source, ...(all ? { all: { viewer: user } } : {}) }
        return one(await existingMember(database, scope, call.params.user_id), user)
      },
    })
  }

  async function one(row: MemberRow, viewer: User | undefined): Promise<Member | undefined> {
    const [record] = await presentMembers(deps, [row], viewer)
    return record
  }
}
