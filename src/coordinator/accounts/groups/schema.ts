import { type Static, Type } from 'typebox'

import { AvatarParameter } from '../../hosting/avatars/avatar-parameter.js'
import { AnyProject } from '../../hosting/projects/record/schema.js'
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
  id: described(Count, 'ID of the namespace.'),
  name: described(Type.String(), 'Name of the namespace.'),
  path: described(Type.String(), 'Path of the namespace, without its parents.'),
  kind: described(OneOf('user', 'group'), 'Kind: user or group.'),
  full_path: described(Type.String(), 'Full path of the namespace.'),
  parent_id: described(Nullable(Count), 'ID of the parent group; null at the top level.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
  web_url: described(Type.String(), 'URL of the namespace page.'),
  members_count_with_descendants: optional(
    Count,
    'Number of members of the group and its subgroups; only for owners.',
  ),
  billable_members_count: optional(
    Count,
    'Number of billable members, without bots and blocked users; only for owners.',
  ),
  plan: optional(Type.String(), 'Plan: always `default`; only for owners.'),
  trial: optional(Flag, 'Whether this is a trial: always false; only for owners.'),
})
export type Namespace = Static<typeof Namespace>

const SharedRunnersSetting = OneOf('enabled', 'disabled_and_overridable', 'disabled_and_unoverridable')
const ProjectCreationLevel = OneOf('noone', 'maintainer', 'developer')
const SubgroupCreationLevel = OneOf('owner', 'maintainer')

const SharedGroup = Type.Object({
  group_id: described(Count, 'ID of the group.'),
  group_name: described(Type.String(), 'Name of the group.'),
  group_full_path: described(Type.String(), 'Full path of the group.'),
  group_access_level: described(Count, 'Maximum access level of members of the group.'),
  expires_at: described(Nullable(DateOnly()), 'First day without access; null if the share does not expire.'),
})

export const GroupStatistics = Type.Object({
  storage_size: described(Count, 'Sum of all sizes, in bytes.'),
  repository_size: described(Count, 'Size of the repositories, in bytes.'),
  wiki_size: described(Count, 'Size of the wikis, in bytes.'),
  lfs_objects_size: described(Count, 'Size of Git LFS objects, in bytes.'),
  job_artifacts_size: described(Count, 'Size of job artifacts, in bytes.'),
  packages_size: described(Count, 'Always 0: there are no packages.'),
  uploads_size: described(Count, 'Size of uploads, in bytes.'),
})
export type GroupStatistics = Static<typeof GroupStatistics>

export const Group = Type.Object({
  id: described(Count, 'ID of the group.'),
  name: described(Type.String(), 'Name of the group.'),
  path: described(Type.String(), 'Path of the group, without its parents.'),
  description: described(NullableText, 'Description of the group; null if there is none.'),
  visibility: described(Visibility, 'Visibility: for members, for all users, or for everyone.'),
  share_with_group_lock: described(Flag, 'Whether sharing projects with other groups is locked.'),
  require_two_factor_authentication: described(Flag, 'Whether its members need a second factor.'),
  two_factor_grace_period: described(Count, 'Hours in which the second factor may be missing.'),
  project_creation_level: described(Type.String(), 'Minimum role to create projects.'),
  auto_devops_enabled: described(Nullable(Flag), 'Stored only; null if not set.'),
  subgroup_creation_level: described(Type.String(), 'Minimum role to create subgroups.'),
  emails_disabled: described(
    Nullable(Flag),
    'Whether what happens in the projects of the group causes no mails; null if not set.',
  ),
  mentions_disabled: described(Nullable(Flag), 'Stored only; null if not set.'),
  lfs_enabled: described(Flag, 'Whether new projects in the group store Git LFS objects.'),
  default_branch_protection: described(
    Count,
    'Protection of the default branch of new projects: 0 none, 1 developers push, 2 and 4 maintainers only, 3 developers merge.',
  ),
  default_branch: described(NullableText, 'Stored only; null if not set.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
  web_url: described(Type.String(), 'URL of the group page.'),
  request_access_enabled: described(Flag, 'Whether users can request access.'),
  full_name: described(Type.String(), 'Full name of the group, with the names of its parents.'),
  full_path: described(Type.String(), 'Full path of the group.'),
  file_template_project_id: described(
    Nullable(Count),
    'ID of a project in the group with templates of files; null if not set.',
  ),
  parent_id: described(Nullable(Count), 'ID of the parent group; null at the top level.'),
  created_at: described(DateTime(), 'Time of creation.'),
  shared_runners_setting: described(
    SharedRunnersSetting,
    'Whether projects may use instance runners, and may override this setting.',
  ),
  marked_for_deletion_on: described(Nullable(DateOnly()), 'Always null: groups are deleted immediately.'),
  membership_lock: optional(
    Flag,
    'Whether projects of the group cannot have direct members; only for a single group.',
  ),
  prevent_forking_outside_group: optional(Flag, 'Stored only; only for a single group.'),
  custom_attributes: optional(
    Type.Array(
      Type.Object({
        key: described(Type.String(), 'Name of the attribute.'),
        value: described(Type.String(), 'Value of the attribute.'),
      }),
    ),
    'Custom attributes; only on request of an administrator.',
  ),
  statistics: optional(GroupStatistics, 'Sizes of the group; only on request of an administrator.'),
  shared_with_groups: optional(
    Type.Array(SharedGroup),
    'Groups with which the group is shared, if visible to the caller; only for a single group.',
  ),
  runners_token: optional(
    NullableText,
    'Registration token for group runners; only for owners; null until it is reset.',
  ),
  projects: optional(
    Type.Array(Type.Unsafe<unknown>(AnyProject)),
    'Projects of the group, at most 100; only for a single group.',
  ),
  shared_projects: optional(
    Type.Array(Type.Unsafe<unknown>(AnyProject)),
    'Projects shared with the group, at most 100; only for a single group.',
  ),
  shared_runners_minutes_limit: optional(
    Nullable(Count),
    'Stored only; administrators only; only for a single group.',
  ),
  extra_shared_runners_minutes_limit: optional(
    Nullable(Count),
    'Stored only; administrators only; only for a single group.',
  ),
})
export type Group = Static<typeof Group>

export const ById = Type.Object({ id: described(Type.String(), 'ID or full path.') })

const withAttributes = optional(Flag, 'Whether to include `custom_attributes`; administrators only.')

export const GetGroup = Type.Object({
  with_projects: optional(Flag, 'Whether to include the projects of the group; default true.'),
  with_custom_attributes: withAttributes,
})

const Name = Type.String({ minLength: 1, maxLength: 255 })

/** Maximum of the column. */
const Stored = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const settings = {
  avatar: Type.Optional(AvatarParameter),
  description: optional(NullableText, 'Description of the group; null if there is none.'),
  visibility: optional(Visibility, 'Visibility of the group; default `private`.'),
  membership_lock: optional(Flag, 'Whether projects of the group cannot have direct members.'),
  share_with_group_lock: optional(Flag, 'Whether sharing projects with other groups is locked.'),
  require_two_factor_authentication: optional(Flag, 'Whether its members need a second factor.'),
  two_factor_grace_period: optional(Stored, 'Hours in which the second factor may be missing.'),
  project_creation_level: optional(
    ProjectCreationLevel,
    'Minimum role to create projects; default `developer`.',
  ),
  auto_devops_enabled: optional(Flag, 'Stored only.'),
  subgroup_creation_level: optional(
    SubgroupCreationLevel,
    'Minimum role to create subgroups; default `maintainer`.',
  ),
  emails_disabled: optional(Flag, 'Whether what happens in the projects of the group causes no mails.'),
  mentions_disabled: optional(Flag, 'Stored only.'),
  lfs_enabled: optional(Flag, 'Whether new projects in the group store Git LFS objects.'),
  request_access_enabled: optional(Flag, 'Whether users can request access; default true.'),
  default_branch_protection: optional(
    Type.Integer({ minimum: 0, maximum: 4 }),
    'Protection of the default branch of new projects: 0 none, 1 developers push, 2 and 4 maintainers only, 3 developers merge.',
  ),
  default_branch: optional(NullableText, 'Stored only.'),
  shared_runners_minutes_limit: optional(Nullable(Stored), 'Stored only; administrators only.'),
  extra_shared_runners_minutes_limit: optional(Nullable(Stored), 'Stored only; administrators only.'),
}

export const CreateGroup = Type.Object({
  name: described(Name, 'Name of the group.'),
  path: described(Type.String({ minLength: 1 }), 'Path of the group, without its parents.'),
  parent_id: optional(Nullable(Count), 'ID of the parent group; null or absent for the top level.'),
  ...settings,
})
export type CreateGroup = Static<typeof CreateGroup>

export const EditGroup = Type.Object({
  name: optional(Name, 'Name of the group.'),
  path: optional(
    Type.String({ minLength: 1 }),
    'Path of the group, without its parents; its projects and subgroups move with it.',
  ),
  ...settings,
  file_template_project_id: optional(
    Nullable(Count),
    'ID of a project in the group with templates of files for all projects in the group.',
  ),
  prevent_forking_outside_group: optional(Flag, 'Stored only.'),
  shared_runners_setting: optional(
    SharedRunnersSetting,
    'Whether projects may use instance runners, and may override this setting.',
  ),
})
export type EditGroup = Static<typeof EditGroup>

export const TransferGroup = Type.Object({
  group_id: optional(Nullable(Count), 'ID of the new parent group; null or absent for the top level.'),
})

export const ListNamespaces = Type.Object({
  search: optional(Type.String(), 'Part of the name or path to search for, case-insensitive.'),
  owned_only: optional(Flag, 'Whether to return only namespaces that the caller owns.'),
  top_level_only: optional(Flag, 'Whether to return only namespaces at the top level.'),
})

export const NamespaceExists = Type.Object({
  path: described(Type.String(), 'Path to check, relative to `parent_id`.'),
  parent_id: optional(Count, 'ID of the parent group; absent for the top level.'),
})

export const Existence = Type.Object({
  exists: described(Flag, 'Whether the path is taken.'),
  suggests: described(Type.Array(Type.String()), 'Available paths; empty if the path is not taken.'),
})

export const ListGroups = Type.Object({
  skip_groups: optional(Type.Array(Count), 'IDs of groups to exclude.'),
  all_available: optional(
    Flag,
    'Whether to include groups of which the caller is no member; by default only for administrators and unauthenticated callers.',
  ),
  search: optional(Type.String(), 'Part of the name or path to search for, case-insensitive.'),
  order_by: optional(
    OneOf('name', 'path', 'id', 'similarity'),
    'Field to order by; default `name`, also for `similarity`.',
  ),
  sort: optional(SortDirection, 'Sort order; default `asc`.'),
  statistics: optional(Flag, 'Whether to include `statistics`; administrators only.'),
  with_custom_attributes: withAttributes,
  custom_attributes: optional(
    Type.Record(Type.String(), Type.String()),
    'Custom attributes to filter by; administrators only.',
  ),
  owned: optional(Flag, 'Whether to return only groups that the caller owns.'),
  min_access_level: optional(
    Type.Integer({ minimum: 1, maximum: 50 }),
    'Minimum access level of the caller.',
  ),
  top_level_only: optional(Flag, 'Whether to return only groups at the top level.'),
})
export type ListGroups = Static<typeof ListGroups>
