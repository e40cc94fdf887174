import { Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

export const JobTokenScope = Type.Object({
  inbound_enabled: described(
    Type.Boolean(),
    'Whether jobs of other projects are let in only if those are listed, or a group that they are in; otherwise all are.',
  ),
  outbound_enabled: described(
    Type.Boolean(),
    'Always false: where jobs of the project get to is said by the projects there.',
  ),
})

export const EditJobTokenScope = Type.Object({
  enabled: described(
    Type.Boolean(),
    'Whether jobs of other projects are let in only if those are listed, or a group that they are in.',
  ),
})

const ListingProject = described(Type.Integer(), 'Number of the project that lists it.')

export const NewAllowedProject = Type.Object({
  target_project_id: described(Type.Integer(), 'Number of the project whose jobs are let in.'),
})

export const AllowedProject = Type.Object({
  source_project_id: ListingProject,
  target_project_id: described(Type.Integer(), 'Number of the project whose jobs are let in now.'),
})

export const NewAllowedGroup = Type.Object({
  target_group_id: described(Type.Integer(), 'Number of the group whose projects’ jobs are let in.'),
})

export const AllowedGroup = Type.Object({
  source_project_id: ListingProject,
  target_group_id: described(Type.Integer(), 'Number of the group whose projects’ jobs are let in now.'),
})

export const ListedGroup = Type.Object({
  id: described(Type.Integer(), 'Number of the group.'),
  web_url: described(Type.String(), 'Its page.'),
  name: described(Type.String(), 'What people call it.'),
})
