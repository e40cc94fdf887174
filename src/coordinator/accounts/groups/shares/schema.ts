import { Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateOnly, Nullable } from '../../../http/parameters/types.js'

const LEVEL =
  'Maximum access level of the members of the group: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'

export const NewShare = Type.Object({
  group_id: described(Type.Integer(), 'ID of the group to share with.'),
  group_access: described(Type.Integer(), LEVEL),
  expires_at: described(
    Type.Optional(Nullable(DateOnly())),
    'First day without access, `YYYY-MM-DD`; null or absent if the share does not expire.',
  ),
})

export const ProjectShare = Type.Object({
  id: described(Type.Integer(), 'ID of the share.'),
  project_id: described(Type.Integer(), 'ID of the shared project or group.'),
  group_id: described(Type.Integer(), 'ID of the group with access.'),
  group_access: described(Type.Integer(), LEVEL),
  expires_at: described(Nullable(DateOnly()), 'First day without access; null if the share does not expire.'),
})

/** `group_id` of the path. */
export const ShareOf = Type.Object({
  group_id: described(Type.Integer(), 'ID of the group with access.'),
})
