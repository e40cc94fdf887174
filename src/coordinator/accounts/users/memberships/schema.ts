import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { OneOf } from '../../../http/parameters/types.js'

export const Membership = Type.Object({
  source_id: described(Type.Integer(), 'ID of the project or group.'),
  source_name: described(Type.String(), 'Name of the project or group.'),
  source_full_path: described(Type.String(), 'Full path of the project or group (beyond the reference).'),
  source_type: described(OneOf('Project', 'Namespace'), 'Type of the source; `Namespace` for a group.'),
  access_level: described(Type.Integer(), 'Access level: 10, 20, 30, 40 or 50.'),
})
export type Membership = Static<typeof Membership>

export const Associations = Type.Object({
  groups_count: described(Type.Integer(), 'Number of groups of the user.'),
  projects_count: described(Type.Integer(), 'Number of projects of the user.'),
  issues_count: described(Type.Integer(), 'Number of issues created by the user.'),
  merge_requests_count: described(Type.Integer(), 'Number of merge requests created by the user.'),
})
export type Associations = Static<typeof Associations>
