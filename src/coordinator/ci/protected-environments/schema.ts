import { type Static, Type } from 'typebox'

import { TIERS } from '../../database/tables/environments.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

/** Per rule, and per protected environment. */
export const MAX_APPROVALS = 5
/** Per request, because each entry is looked up. */
const MAX_ENTRIES = 50

const DeployEntry = Type.Object({
  id: described(Type.Integer(), 'ID of the entry.'),
  access_level: described(
    Nullable(Type.Integer()),
    'Least level in the project: 30 developers, 40 maintainers, 60 administrators; null for a user or a group.',
  ),
  access_level_description: described(Type.String(), 'The role, or the name of the user or group.'),
  user_id: described(Nullable(Type.Integer()), 'ID of the user; null for a role or a group.'),
  group_id: described(Nullable(Type.Integer()), 'ID of the group; null for a role or a user.'),
  group_inheritance_type: described(
    Type.Integer(),
    'Which members of the group: 0 direct members only, 1 inherited members too.',
  ),
})

const ApprovalRule = Type.Object({
  ...DeployEntry.properties,
  required_approvals: described(Type.Integer(), 'Number of approvals that the rule requires.'),
})

export const ProtectedEnvironment = Type.Object({
  name: described(Type.String(), 'Name of the environment; in a group, the deployment tier.'),
  deploy_access_levels: described(Type.Array(DeployEntry), 'Who may deploy.'),
  required_approval_count: described(
    Type.Integer(),
    'Number of approvals by deployers that a deployment requires if there are no approval rules.',
  ),
  approval_rules: described(
    Type.Array(ApprovalRule),
    'Who must approve a deployment before its job can run.',
  ),
})
export type ProtectedEnvironment = Static<typeof ProtectedEnvironment>

const entryParameters = {
  access_level: optional(
    Type.Integer(),
    'Least level in the project: 30 developers, 40 maintainers, 60 administrators.',
  ),
  user_id: optional(Type.Integer(), 'ID of a user, who must be a developer of the project or group.'),
  group_id: optional(
    Type.Integer(),
    'ID of a group: one that contains the project or with which it is shared; for a group, itself or a subgroup.',
  ),
  group_inheritance_type: optional(
    Type.Integer({ minimum: 0, maximum: 1 }),
    'Which members of the group: 0 direct members only (default), 1 inherited members too.',
  ),
  id: optional(Type.Integer(), 'ID of an existing entry that is changed or removed.'),
  _destroy: optional(Type.Boolean(), 'Whether the entry is removed.'),
}

const DeployParameters = Type.Object(entryParameters)
const ApprovalParameters = Type.Object({
  ...entryParameters,
  required_approvals: optional(
    Type.Integer({ minimum: 1, maximum: MAX_APPROVALS }),
    `Number of approvals that the rule requires, from 1 (default) to ${MAX_APPROVALS}.`,
  ),
})
export type EntryParameters = Static<typeof ApprovalParameters>

const Name = Type.String({ minLength: 1, maxLength: 255 })
const ofProject = { name: described(Name, 'Name of the environment, without wildcards.') }
const ofGroup = { name: described(OneOf(...TIERS), 'Deployment tier of the environments.') }

const count = optional(
  Type.Integer({ minimum: 0, maximum: MAX_APPROVALS }),
  `Number of approvals by deployers that a deployment requires if there are no approval rules, up to ${MAX_APPROVALS}.`,
)
const created = {
  deploy_access_levels: described(
    Type.Array(DeployParameters, { maxItems: MAX_ENTRIES }),
    'Who may deploy; at least one entry.',
  ),
  approval_rules: optional(
    Type.Array(ApprovalParameters, { maxItems: MAX_ENTRIES }),
    'Who must approve a deployment before its job can run.',
  ),
  required_approval_count: count,
}
const changed = {
  deploy_access_levels: optional(
    Type.Array(DeployParameters, { maxItems: MAX_ENTRIES }),
    'Entries to add, change or remove.',
  ),
  approval_rules: optional(
    Type.Array(ApprovalParameters, { maxItems: MAX_ENTRIES }),
    'Rules to add, change or remove.',
  ),
  required_approval_count: count,
}
export type ChangeProtectedEnvironment = Static<ReturnType<typeof Type.Object<typeof changed>>>

export const ListProtectedEnvironments = Type.Object({
  search: optional(Type.String(), 'Part of the name, case-insensitive.'),
})
export const ProjectParameters = {
  One: Type.Object(ofProject),
  Create: Type.Object({ ...ofProject, ...created }),
  Change: Type.Object({ ...ofProject, ...changed }),
}
export const GroupParameters = {
  One: Type.Object(ofGroup),
  Create: Type.Object({ ...ofGroup, ...created }),
  Change: Type.Object({ ...ofGroup, ...changed }),
}
