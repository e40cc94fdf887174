import { type Static, Type } from 'typebox'

import { Nullable } from '../../http/parameters/types.js'

const AccessEntry = Type.Object({
  id: Type.Integer(),
  access_level: Type.Integer(),
  access_level_description: Type.String(),
  user_id: Nullable(Type.Integer()),
  group_id: Nullable(Type.Integer()),
})
export type AccessEntry = Static<typeof AccessEntry>

export const ProtectedBranch = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  push_access_levels: Type.Array(AccessEntry),
  merge_access_levels: Type.Array(AccessEntry),
  allow_force_push: Type.Boolean(),
  code_owner_approval_required: Type.Boolean(),
  inherited: Type.Boolean(),
})
export type ProtectedBranch = Static<typeof ProtectedBranch>

export const ProtectedTag = Type.Object({
  name: Type.String(),
  create_access_levels: Type.Array(AccessEntry),
})
export type ProtectedTag = Static<typeof ProtectedTag>

/** 0 nobody, 30 developers and maintainers, 40 maintainers. */
const Level = Type.Optional(Type.Integer())
const Name = Type.String({ minLength: 1, maxLength: 255 })

export const ListProtected = Type.Object({ search: Type.Optional(Type.String()) })
export const ProtectedName = Type.Object({ name: Name })

export const ProtectBranch = Type.Object({
  name: Name,
  push_access_level: Level,
  merge_access_level: Level,
  allow_force_push: Type.Optional(Type.Boolean()),
})
export type ProtectBranch = Static<typeof ProtectBranch>

export const ProtectTag = Type.Object({ name: Name, create_access_level: Level })
