import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'

const AccessEntry = Type.Object({
  id: Type.Integer({ description: 'ID of the entry' }),
  access_level: described(
    Nullable(Type.Integer()),
    'Minimum access level: 0 nobody, 30 developers, 40 maintainers; null for a user or a group',
  ),
  access_level_description: Type.String({ description: 'The role, or the name of the user or group' }),
  user_id: described(Nullable(Type.Integer()), 'ID of the user; null for a role or a group'),
  group_id: described(Nullable(Type.Integer()), 'ID of the group; null for a role or a user'),
})
export type AccessEntry = Static<typeof AccessEntry>

function entries(description: string) {
  return Type.Array(AccessEntry, { description })
}

/** API, E2. */
export const ProtectedBranch = Type.Object({
  id: Type.Integer({ description: 'ID of the rule' }),
  name: Type.String({ description: 'Name of the branch, or a wildcard' }),
  push_access_levels: entries('Who may push to the branch'),
  merge_access_levels: entries('Who may merge into the branch'),
  unprotect_access_levels: entries('Who may unprotect the branch, besides maintainers; always empty'),
  allow_force_push: Type.Boolean({ description: 'Whether force pushes are allowed' }),
  code_owner_approval_required: Type.Boolean({
    description: 'Whether merges need the approvals of the owners of the changed files',
  }),
  inherited: Type.Boolean({ description: 'Always false: rules belong to projects' }),
})
export type ProtectedBranch = Static<typeof ProtectedBranch>

export const ProtectedTag = Type.Object({
  name: Type.String({ description: 'Name of the tag, or a wildcard' }),
  create_access_levels: entries('Who may create the tag'),
})
export type ProtectedTag = Static<typeof ProtectedTag>

const Level = Type.Integer({
  description: 'Minimum access level: 0 nobody, 30 developers and maintainers, 40 maintainers',
})

function level(description: string) {
  return Type.Optional(
    Type.Integer({ description: `${description}: 0 nobody, 30 developers, 40 maintainers` }),
  )
}

const Allowed = Type.Object({
  access_level: Type.Optional(Level),
  user_id: Type.Optional(Type.Integer({ description: 'ID of a user with access; a member of the project' })),
  group_id: Type.Optional(Type.Integer({ description: 'ID of a group whose members have access' })),
  id: Type.Optional(Type.Integer({ description: 'ID of the entry to delete' })),
  _destroy: Type.Optional(Type.Boolean({ description: 'Whether to delete the entry' })),
})
export type Allowed = Static<typeof Allowed>

function allowed(description: string) {
  return Type.Optional(Type.Array(Allowed, { description }))
}

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Name, or a wildcard with *' })

export const ListProtected = Type.Object({
  search: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive' })),
})
export const ProtectedName = Type.Object({ name: Name })

export const ProtectBranch = Type.Object({
  name: Name,
  push_access_level: level('Minimum access level to push; default 40'),
  merge_access_level: level('Minimum access level to merge; default 40'),
  unprotect_access_level: level('Accepted without effect: maintainers unprotect branches'),
  allow_force_push: Type.Optional(
    Type.Boolean({ description: 'Whether to allow force pushes; default false' }),
  ),
  allowed_to_push: allowed('Roles, users and groups that may push'),
  allowed_to_merge: allowed('Roles, users and groups that may merge'),
  allowed_to_unprotect: allowed('Accepted without effect: maintainers unprotect branches'),
  code_owner_approval_required: Type.Optional(
    Type.Boolean({
      description: 'Whether merges need the approvals of the owners of the changed files; default false',
    }),
  ),
})
export type ProtectBranch = Static<typeof ProtectBranch>

export const ProtectTag = Type.Object({
  name: Name,
  create_access_level: level('Minimum access level to create the tag; default 40'),
  allowed_to_create: allowed('Roles, users and groups that may create the tag'),
})
export type ProtectTag = Static<typeof ProtectTag>
