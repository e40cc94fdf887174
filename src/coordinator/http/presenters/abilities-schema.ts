import { type Static, Type } from 'typebox'

import { recordOf } from '../../../lib/record-of.js'
import { GROUP_PERMISSIONS, PROJECT_PERMISSIONS } from '../../access/permissions.js'
import { FEATURES } from '../../access/project-features.js'
import { described, flag } from '../parameters/described.js'
import { Nullable, OneOf } from '../parameters/types.js'

const Level = Type.Integer({
  description: 'Effective access level, from 10 (guest) to 50 (owner)',
})

const Permissions = Type.Array(OneOf(...PROJECT_PERMISSIONS))

/** What the caller may do in a project. */
export const ProjectAbilities = Type.Object({
  level: Level,
  may: described(Permissions, 'Permissions by role and features, whether or not the project is read-only'),
  read_only: described(
    Nullable(OneOf('archived', 'marked for deletion')),
    'Reason why the project cannot be changed; null if it can',
  ),
  frozen: described(Permissions, 'Permissions in `may` for which the read-only project refuses every change'),
  removals_only: described(
    Permissions,
    'Permissions in `may` for which the read-only project refuses every change but DELETE',
  ),
  features: Type.Object(
    recordOf(FEATURES, (feature) => flag(`Whether the caller may use ${feature.replace('_', ' ')}`)),
    { description: 'Features of the project that are available to the caller' },
  ),
})
export type ProjectAbilities = Static<typeof ProjectAbilities>

/** What the caller may do in a group. */
export const GroupAbilities = Type.Object({
  level: Level,
  may: Type.Array(OneOf(...GROUP_PERMISSIONS), { description: 'Permissions by role' }),
})
export type GroupAbilities = Static<typeof GroupAbilities>
