import { type Static, Type } from 'typebox'

import {
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
  Visibility,
} from '../../http/parameters/types.js'

export const Namespace = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: OneOf('user', 'group'),
  full_path: Type.String(),
  parent_id: Nullable(Type.Integer()),
  avatar_url: NullableText,
  web_url: Type.String(),
})
export type Namespace = Static<typeof Namespace>

const SharedRunnersSetting = OneOf('enabled', 'disabled_and_overridable', 'disabled_and_unoverridable')

export const Group = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  description: NullableText,
  visibility: Visibility,
  avatar_url: NullableText,
  web_url: Type.String(),
  full_name: Type.String(),
  full_path: Type.String(),
  parent_id: Nullable(Type.Integer()),
  created_at: DateTime(),
  request_access_enabled: Type.Boolean(),
  project_creation_level: Type.String(),
  subgroup_creation_level: Type.String(),
  lfs_enabled: Type.Boolean(),
  shared_runners_setting: SharedRunnersSetting,
})
export type Group = Static<typeof Group>

export const ById = Type.Object({ id: Type.String() })

export const EditGroup = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  shared_runners_setting: Type.Optional(SharedRunnersSetting),
})
export type EditGroup = Static<typeof EditGroup>

export const ListNamespaces = Type.Object({
  search: Type.Optional(Type.String()),
  owned_only: Type.Optional(Type.Boolean()),
})

export const ListGroups = Type.Object({
  search: Type.Optional(Type.String()),
  owned: Type.Optional(Type.Boolean()),
  sort: Type.Optional(SortDirection),
})

export const CreateGroup = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  path: Type.String({ minLength: 1 }),
  visibility: Type.Optional(Visibility),
  parent_id: Type.Optional(Nullable(Type.Integer())),
})
export type CreateGroup = Static<typeof CreateGroup>
