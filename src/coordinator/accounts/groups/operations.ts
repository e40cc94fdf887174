import { Type } from 'typebox'

import { groupAbilities } from '../../access/abilities.js'
import { OWNER } from '../../access/access-levels.js'
import { readAvatar } from '../../hosting/avatars/avatar-parameter.js'
import type { TransferDeps } from '../../hosting/projects/transfer/transfer-project.js'
import { type Operation, operation, respond } from '../../http/operation.js'
import { GroupAbilities } from '../../http/presenters/abilities-schema.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import { createGroupWithAvatar, editGroupWithAvatar, type GroupAvatarDeps } from './avatar.js'
import { deleteGroup, type DeleteGroupDeps } from './delete-group.js'
import { groupsOfProjectOperations } from './groups-of-project.js'
import { locationOperations } from './location-operations.js'
import { type GroupRecordDeps, GroupRecords } from './records.js'
import { CreateGroup, EditGroup, GetGroup, Group, ListGroups, TransferGroup } from './schema.js'
import { shareOperations } from './shares/operations.js'
import { transferGroup } from './transfer-group.js'

export interface GroupDeps extends GroupRecordDeps, DeleteGroupDeps, GroupAvatarDeps, TransferDeps {}

const Groups = Type.Array(Group)
const Accepted = Type.Object({ message: Type.String({ description: '`202 Accepted`.' }) })

export function groupOperations(deps: GroupDeps): Operation[] {
  const records = new GroupRecords(deps)
  return [
    ...listOperations(records),
    ...singleOperations(deps, records),
    ...changeOperations(deps, records),
    ...shareOperations(records),
    ...groupsOfProjectOperations(records),
    ...locationOperations(records),
  ]
}

function listOperations(records: GroupRecords): Operation[] {
  return [
    operation('GET /groups', {
      summary: 'List groups',
      access: 'anyone',
      params: ListGroups,
      responses: { 200: Groups },
      paginated: true,
      keyset: {
        of: 'Group',
        orders: ['name asc', 'name desc', 'path asc', 'path desc', 'id asc', 'id desc'],
      },
      run: ({ params, caller, paging }) => records.list(params, viewerOf(caller), paging),
    }),
    operation('GET /groups/:id/subgroups', {
      summary: 'List subgroups of a group',
      access: 'read_group',
      params: ListGroups,
      responses: { 200: Groups },
      paginated: true,
      run: ({ group, params, user, paging }) => records.list(params, user, paging, { parentId: group.id }),
    }),
    operation('GET /groups/:id/descendant_groups', {
      summary: 'List descendant groups of a group',
      access: 'read_group',
      params: ListGroups,
      responses: { 200: Groups },
      paginated: true,
      run: ({ group, params, user, paging }) => records.list(params, user, paging, { below: group.id }),
    }),
    operation('GET /groups/:id/groups/shared', {
      summary: 'List groups shared with a group',
      access: 'read_group',
      params: ListGroups,
      responses: { 200: Groups },
      paginated: true,
      run: ({ group, params, user, paging }) => records.list(params, user, paging, { sharedWith: group.id }),
    }),
  ]
}

function singleOperations(deps: GroupDeps, records: GroupRecords): Operation[] {
  return [
    operation('GET /groups/:id', {
      summary: 'Get a group',
      access: 'read_group',
      params: GetGroup,
      responses: { 200: Group },
      run: ({ group, params, user, accessLevel }) => records.details(group, { user, accessLevel }, params),
    }),
    operation('GET /groups/:id/abilities', {
      summary: 'Get what the caller may do in a group',
      access: 'read_group',
      responses: { 200: GroupAbilities },
      cacheable: true,
      run: async ({ accessLevel }) => groupAbilities(accessLevel),
    }),
    operation('GET /groups/:id/avatar', {
      summary: 'Get the avatar of a group',
      access: 'read_group',
      responses: { 200: Type.String({ format: 'binary', description: 'Image of the avatar.' }) },
      run: ({ group }) => readAvatar(deps.avatars, group.avatar_key),
    }),
    operation('POST /groups', {
      summary: 'Create a group',
      access: 'user',
      params: CreateGroup,
      responses: { 201: Group },
      run: async ({ params, user }) =>
        records.details(await createGroupWithAvatar(deps, params, user), { user, accessLevel: OWNER }),
    }),
    operation('DELETE /groups/:id', {
      summary: 'Delete a group with its projects and subgroups',
      access: 'admin_group',
      responses: { 202: Accepted },
      modifiedAt: async ({ group }) => group.updated_at ?? group.created_at,
      run: async ({ group }) => {
        await deleteGroup(deps, group.id)
        return respond(202, { message: '202 Accepted' })
      },
    }),
  ]
}

/** Fields that audit events show with old and new values. */
const NOTED = [
  'name',
  'path',
  'visibility',
  'membership_lock',
  'share_with_group_lock',
  'shared_runners_setting',
  'project_creation_level',
  'subgroup_creation_level',
  'request_access_enabled',
  'require_two_factor_authentication',
  'prevent_forking_outside_group',
  'default_branch_protection',
]

function changeOperations(deps: GroupDeps, records: GroupRecords): Operation[] {
  return [
    operation('PUT /groups/:id', {
      summary: 'Update a group',
      access: 'admin_group',
      params: EditGroup,
      atLeastOne: [Object.keys(EditGroup.properties)],
      changes: { attributes: NOTED },
      responses: { 200: Group },
      run: async ({ group, params, user, accessLevel }) =>
        records.details(await editGroupWithAvatar(deps, group, params, signedIn(user)), {
          user,
          accessLevel,
        }),
    }),
    operation('POST /groups/:id/transfer', {
      summary: 'Transfer a group to another parent or to the top level',
      access: 'admin_group',
      params: TransferGroup,
      changes: { attributes: ['full_path'] },
      responses: { 201: Group },
      run: async ({ group, params, user, accessLevel }) =>
        records.details(await transferGroup(deps, group, params.group_id ?? null, signedIn(user)), {
          user,
          accessLevel,
        }),
    }),
  ]
}
