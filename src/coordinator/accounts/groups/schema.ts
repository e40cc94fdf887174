import { type Static, Type } from 'typebox'

import { AvatarParameter } from '../../hosting/avatars/avatar-parameter.js'
import { described, optional } from '../../http/parameters/described.js'
import {
  DateOnly,
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
  Visibility,
} from '../../http/parameters/types.js'

const Flag = Type.Boolean()
const Count = Type.Integer()

export const Namespace = Type.Object({
  id: described(Count, 'Number of the namespace.'),
  name: described(Type.String(), 'What people call it.'),
  path: described(Type.String(), 'Last part of its address.'),
  kind: described(OneOf('user', 'group'), 'Of one user, or a group.'),
  full_path: described(Type.String(), 'Its whole address.'),
  parent_id: described(Nullable(Count), 'The group that it lies in; null at the top.'),
  avatar_url: described(NullableText, 'Address of its picture; null = none.'),
  web_url: described(Type.String(), 'Address of its page.'),
  members_count_with_descendants: optional(
    Count,
    'Of a group: members of it and of the groups in it; for its owners.',
  ),
  billable_members_count: optional(
    Count,
    'Those of them who are neither bots nor kept out; for owners of the group.',
  ),
  plan: optional(Type.String(), 'Always `default`; for owners.'),
  trial: optional(Flag, 'Always false; for owners.'),
})
export type Namespace = Static<typeof Namespace>

const SharedRunnersSetting = OneOf('enabled', 'disabled_and_overridable', 'disabled_and_unoverridable')
const ProjectCreationLevel = OneOf('noone', 'maintainer', 'developer')
const SubgroupCreationLevel = OneOf('owner', 'maintainer')

export const SharedGroup = Type.Object({
  group_id: described(Count, 'Number of the group.'),
  group_name: described(Type.String(), 'What people call it.'),
  group_full_path: described(Type.String(), 'Its whole address.'),
  group_access_level: described(Count, 'The most that its members are here.'),
  expires_at: described(Nullable(DateOnly()), 'First day without it; null = it lasts.'),
})

export const GroupStatistics = Type.Object({
  storage_size: described(Count, 'Bytes of all that follows.'),
  repository_size: described(Count, 'Bytes of the repositories of its projects.'),
  wiki_size: described(Count, 'Always 0: there are no wikis.'),
  lfs_objects_size: described(Count, 'Always 0: large files are not kept apart.'),
  job_artifacts_size: described(Count, 'Bytes of the artifacts of jobs.'),
  packages_size: described(Count, 'Always 0: there are no packages.'),
  uploads_size: described(Count, 'Bytes of the uploads of its projects.'),
})
export type GroupStatistics = Static<typeof GroupStatistics>

export const Group = Type.Object({
  id: described(Count, 'Number of the group.'),
  name: described(Type.String(), 'What people call it.'),
  path: described(Type.String(), 'Last part of its address.'),
  description: described(NullableText, 'What the group is; null = nothing said.'),
  visibility: described(Visibility, 'Who sees the group: its members, all users, everybody.'),
  share_with_group_lock: described(Flag, 'Whether its projects cannot be shared with other groups.'),
  require_two_factor_authentication: described(Flag, 'Stored for clients that set it.'),
  two_factor_grace_period: described(Count, 'Hours; stored for clients that set it.'),
  project_creation_level: described(Type.String(), 'Role from which on one makes projects in it.'),
  auto_devops_enabled: described(Nullable(Flag), 'Stored for clients that set it; null = not set.'),
  subgroup_creation_level: described(Type.String(), 'Role from which on one makes groups in it.'),
  emails_disabled: described(Nullable(Flag), 'Stored for clients that set it; null = not set.'),
  mentions_disabled: described(Nullable(Flag), 'Stored for clients that set it; null = not set.'),
  lfs_enabled: described(Flag, 'Stored for clients that set it: large files are not kept apart.'),
  default_branch_protection: described(Count, 'Stored for clients that set it: 0 to 4.'),
  default_branch: described(NullableText, 'Stored for clients that set it; null = not set.'),
  avatar_url: described(NullableText, 'Address of its picture; null = none.'),
  web_url: described(Type.String(), 'Address of its page.'),
  request_access_enabled: described(Flag, 'Whether users may ask to become members.'),
  full_name: described(Type.String(), 'Its name with those of the groups that it lies in.'),
  full_path: described(Type.String(), 'Its whole address.'),
  file_template_project_id: described(Nullable(Count), 'Stored for clients that set it; null = not set.'),
  parent_id: described(Nullable(Count), 'The group that it lies in; null at the top.'),
  created_at: described(DateTime(), 'When it was made.'),
  shared_runners_setting: described(
    SharedRunnersSetting,
    'Whether its projects may use the runners of the instance, and may decide that themselves.',
  ),
  marked_for_deletion_on: described(Nullable(DateOnly()), 'Always null: what is deleted goes at once.'),
  membership_lock: optional(Flag, 'Whether its projects take no members of their own; in details.'),
  prevent_forking_outside_group: optional(Flag, 'Stored for clients that set it; in details.'),
  custom_attributes: optional(
    Type.Array(
      Type.Object({
        key: described(Type.String(), 'Name of the attribute.'),
        value: described(Type.String(), 'What it is set to.'),
      }),
    ),
    'What administrators have noted about it; present when one asks for it.',
  ),
  statistics: optional(GroupStatistics, 'What it takes up; for administrators who ask.'),
  shared_with_groups: optional(
    Type.Array(SharedGroup),
    'Groups whose members are members here, as far as the caller may see them; in details.',
  ),
  runners_token: optional(
    NullableText,
    'Token that registers runners of the group; for its owners; null until it is reset.',
  ),
  projects: optional(Type.Array(Type.Unknown()), 'Records of its projects, 100 at most; in details.'),
  shared_projects: optional(
    Type.Array(Type.Unknown()),
    'Records of the projects that are shared with it, 100 at most; in details.',
  ),
  shared_runners_minutes_limit: optional(Nullable(Count), 'Stored; for administrators; in details.'),
  extra_shared_runners_minutes_limit: optional(Nullable(Count), 'Stored; for administrators; in details.'),
})
export type Group = Static<typeof Group>

export const ById = Type.Object({ id: described(Type.String(), 'Number or whole address.') })

const withAttributes = optional(Flag, 'Whether `custom_attributes` is in the answer; for administrators.')

export const GetGroup = Type.Object({
  with_projects: optional(Flag, 'Whether the records of its projects are in the answer; default true.'),
  with_custom_attributes: withAttributes,
})

const Name = Type.String({ minLength: 1, maxLength: 255 })

/** As much as the column takes. */
const Stored = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const settings = {
  avatar: Type.Optional(AvatarParameter),
  description: optional(NullableText, 'What the group is; null = nothing said.'),
  visibility: optional(Visibility, 'Who sees the group; default `private`.'),
  membership_lock: optional(Flag, 'Whether its projects take no members of their own.'),
  share_with_group_lock: optional(Flag, 'Whether its projects cannot be shared with other groups.'),
  require_two_factor_authentication: optional(Flag, 'Stored only.'),
  two_factor_grace_period: optional(Stored, 'Hours; stored only.'),
  project_creation_level: optional(ProjectCreationLevel, 'Default `developer`.'),
  auto_devops_enabled: optional(Flag, 'Stored only.'),
  subgroup_creation_level: optional(SubgroupCreationLevel, 'Default `maintainer`.'),
  emails_disabled: optional(Flag, 'Stored only.'),
  mentions_disabled: optional(Flag, 'Stored only.'),
  lfs_enabled: optional(Flag, 'Stored only.'),
  request_access_enabled: optional(Flag, 'Whether users may ask to become members; default true.'),
  default_branch_protection: optional(Type.Integer({ minimum: 0, maximum: 4 }), 'Stored only.'),
  default_branch: optional(NullableText, 'Stored only.'),
  shared_runners_minutes_limit: optional(Nullable(Stored), 'Stored only; administrators.'),
  extra_shared_runners_minutes_limit: optional(Nullable(Stored), 'Stored only; administrators.'),
}

export const CreateGroup = Type.Object({
  name: described(Name, 'What people call it.'),
  path: described(Type.String({ minLength: 1 }), 'Last part of its address.'),
  parent_id: optional(Nullable(Count), 'The group that it lies in; null or absent = at the top.'),
  ...settings,
})
export type CreateGroup = Static<typeof CreateGroup>

export const EditGroup = Type.Object({
  name: optional(Name, 'What people call it.'),
  path: optional(Type.String({ minLength: 1 }), 'Last part of its address; what lies in it moves along.'),
  ...settings,
  file_template_project_id: optional(Nullable(Count), 'Stored only.'),
  prevent_forking_outside_group: optional(Flag, 'Stored only.'),
  shared_runners_setting: optional(
    SharedRunnersSetting,
    'Whether its projects may use the runners of the instance, and may decide that themselves.',
  ),
})
export type EditGroup = Static<typeof EditGroup>

export const TransferGroup = Type.Object({
  group_id: optional(Nullable(Count), 'The group that it is to lie in; null or absent = at the top.'),
})

export const ListNamespaces = Type.Object({
  search: optional(Type.String(), 'Part of name or address, in either case.'),
  owned_only: optional(Flag, 'Only those that the caller owns.'),
  top_level_only: optional(Flag, 'Only those that lie in no group.'),
})

export const NamespaceExists = Type.Object({
  path: described(Type.String(), 'The address to look for, below `parent_id`.'),
  parent_id: optional(Count, 'The group to look in; absent = at the top.'),
})

export const Existence = Type.Object({
  exists: described(Flag, 'Whether the address is taken.'),
  suggests: described(Type.Array(Type.String()), 'Addresses that are free; empty when it is not taken.'),
})

export const ListGroups = Type.Object({
  skip_groups: optional(Type.Array(Count), 'Not these groups.'),
  all_available: optional(
    Flag,
    'Whether groups that the caller may see without being a member are listed; default: for administrators and anonymous callers only.',
  ),
  search: optional(Type.String(), 'Part of name or address, in either case.'),
  order_by: optional(OneOf('name', 'path', 'id', 'similarity'), 'Default `name`; `similarity` is that too.'),
  sort: optional(SortDirection, 'Default `asc`.'),
  statistics: optional(Flag, 'Whether `statistics` is in the records; for administrators.'),
  with_custom_attributes: withAttributes,
  custom_attributes: optional(
    Type.Record(Type.String(), Type.String()),
    'Only groups with these attributes; for administrators.',
  ),
  owned: optional(Flag, 'Only groups that the caller owns.'),
  min_access_level: optional(
    Type.Integer({ minimum: 1, maximum: 50 }),
    'Only groups in which the caller has at least this level.',
  ),
  top_level_only: optional(Flag, 'Only groups that lie in no other.'),
})
export type ListGroups = Static<typeof ListGroups>
