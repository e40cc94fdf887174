import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

export const JobTokenScope = Type.Object({
  inbound_enabled: described(
    Type.Boolean(),
    'Whether only allowlisted projects and groups can access the project with job tokens; otherwise all projects can.',
  ),
  outbound_enabled: described(
    Type.Boolean(),
    'Always false: access with job tokens is limited by the target projects only.',
  ),
})

export type JobTokenScope = Static<typeof JobTokenScope>

export const EditJobTokenScope = Type.Object({
  enabled: described(
    Type.Boolean(),
    'Whether only allowlisted projects and groups can access the project with job tokens.',
  ),
})

const ListingProject = described(Type.Integer(), 'ID of the project that owns the allowlist.')

export const NewAllowedProject = Type.Object({
  target_project_id: described(Type.Integer(), 'ID of the allowlisted project.'),
})

export const AllowedProject = Type.Object({
  source_project_id: ListingProject,
  target_project_id: described(Type.Integer(), 'ID of the project to add to the allowlist.'),
})

export const NewAllowedGroup = Type.Object({
  target_group_id: described(Type.Integer(), 'ID of the allowlisted group.'),
})

export const AllowedGroup = Type.Object({
  source_project_id: ListingProject,
  target_group_id: described(Type.Integer(), 'ID of the group to add to the allowlist.'),
})

export const ListedGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the group.'),
  web_url: described(Type.String(), 'URL of the group page.'),
  name: described(Type.String(), 'Name of the group.'),
})
export type ListedGroup = Static<typeof ListedGroup>
