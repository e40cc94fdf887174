import { type Static, Type } from 'typebox'

import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { type Call, type Operation, operation } from '../../http/operation.js'
import { page, type Page } from '../../http/page.js'
import type { Rows } from '../../http/paging/list-rows.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { signedIn } from '../../http/viewer.js'
import { GroupBrief, presentGroupBriefs } from './group-brief.js'
import {
  listGroupTransferLocations,
  listInvitedGroups,
  listProjectTransferLocations,
  listShareLocations,
  type Relation,
} from './location-store.js'
import type { GroupRecords } from './records.js'

const Search = Type.Object({
  search: described(
    Type.Optional(Type.String()),
    'Part of the name or path to search for, case-insensitive.',
  ),
})

const ListInvited = Type.Object({
  ...Search.properties,
  min_access_level: described(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
    'Only groups in which the caller has at least this access level.',
  ),
  relation: described(
    Type.Optional(Type.Array(OneOf('direct', 'inherited'))),
    'How they are invited: direct, or inherited from a group above; default both.',
  ),
})

const Groups = Type.Array(GroupBrief)
const BOTH: readonly Relation[] = ['direct', 'inherited']

/** Groups that a project or group is shared with, and where both could go (API, C2, D). */
export function locationOperations({ deps: { database, externalUrl } }: GroupRecords): Operation[] {
  return [
    operation('GET /projects/:id/invited_groups', {
      summary: 'List the groups with which a project is shared',
      access: 'read_project',
      params: ListInvited,
      responses: { 200: Groups },
      paginated: true,
      run: async ({ project, params, user, paging }) =>
        presented(await listInvitedGroups(database, { project }, filterOf(params), user, paging)),
    }),
    operation('GET /groups/:id/invited_groups', {
      summary: 'List the groups with which a group is shared',
      access: 'read_group',
      params: ListInvited,
      responses: { 200: Groups },
      paginated: true,
      run: async ({ group, params, user, paging }) =>
        presented(await listInvitedGroups(database, { group }, filterOf(params), user, paging)),
    }),
    operation('GET /projects/:id/share_locations', {
      summary: 'List the groups with which the caller may share a project',
      access: 'admin_members',
      params: Search,
      responses: { 200: Groups },
      paginated: true,
      run: async (call) => presented(await listShareLocations(database, call.project, queryOf(call))),
    }),
    operation('GET /projects/:id/transfer_locations', {
      summary: 'List the groups to which the caller may transfer a project',
      access: 'transfer_project',
      params: Search,
      responses: { 200: Groups },
      paginated: true,
      run: async (call) =>
        presented(await listProjectTransferLocations(database, call.project, queryOf(call))),
    }),
    operation('GET /groups/:id/transfer_locations', {
      summary: 'List the groups to which the caller may transfer a group',
      access: 'admin_group',
      params: Search,
      responses: { 200: Groups },
      paginated: true,
      run: async (call) => presented(await listGroupTransferLocations(database, call.group, queryOf(call))),
    }),
  ]

  async function presented({ rows, total }: Rows<NamespaceRow>): Promise<Page> {
    return page(await presentGroupBriefs(database, rows, externalUrl), total)
  }
}

function filterOf({ relation, ...filter }: Static<typeof ListInvited>) {
  return { ...filter, relation: relation?.length ? relation : BOTH }
}

function queryOf({
  user,
  params,
  paging,
}: Pick<Call<'admin_members', Static<typeof Search>>, 'user' | 'params' | 'paging'>) {
  return { user: signedIn(user), filter: params, paging }
}
