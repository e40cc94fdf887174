import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const MilestoneId = described(Type.Integer(), 'ID of the milestone.')
const Title = Type.String({ maxLength: 255 })

const fields = {
  description: optional(
    Nullable(Type.String({ maxLength: 1_000_000 })),
    'Description in Markdown; null if there is none.',
  ),
  due_date: optional(Nullable(DateOnly()), 'Day on which the milestone is due; null for none.'),
  start_date: optional(Nullable(DateOnly()), 'First day of the milestone, before `due_date`; null for none.'),
}

export const ById = Type.Object({ milestone_id: MilestoneId })

export const CreateMilestone = Type.Object({
  title: described(Title, 'Title; unique in the project, its groups and their projects.'),
  ...fields,
})
export type CreateMilestone = Static<typeof CreateMilestone>

export const EditMilestone = Type.Object({
  milestone_id: MilestoneId,
  title: optional(Title, 'Title; unchanged if it is absent or empty.'),
  ...fields,
  state_event: optional(OneOf('close', 'activate'), 'Whether to close or to activate the milestone.'),
})
export type EditMilestone = Static<typeof EditMilestone>

/** Parameters of which an update needs one. */
export const CHANGES = ['title', 'description', 'start_date', 'due_date', 'state_event']

const ListMilestones = Type.Object({
  iids: optional(
    Type.Array(Type.Integer()),
    'Numbers of milestones within the project or group; ignored if milestones of other groups are included.',
  ),
  state: optional(OneOf('active', 'closed', 'all'), 'State; `all` by default.'),
  title: optional(Type.String(), 'Exact title.'),
  search: optional(Type.String(), 'Text in the title or the description.'),
  include_ancestors: optional(Type.Boolean(), 'Whether to include milestones of all groups above.'),
  include_parent_milestones: optional(Type.Boolean(), 'Older name of `include_ancestors`.'),
  updated_before: optional(DateTime(), 'Latest time of the last change.'),
  updated_after: optional(DateTime(), 'Earliest time of the last change.'),
})

export const ListProjectMilestones = ListMilestones
export type ListProjectMilestones = Static<typeof ListProjectMilestones>

export const ListGroupMilestones = Type.Object({
  ...ListMilestones.properties,
  include_descendants: optional(Type.Boolean(), 'Whether to include milestones of all groups in the group.'),
})
export type ListGroupMilestones = Static<typeof ListGroupMilestones>

/** The fields of a milestone in project archives. */
export const TransferredMilestone = Type.Object({
  ...CreateMilestone.properties,
  description: optional(NullableText, 'Description in Markdown.'),
  state: optional(OneOf('active', 'closed'), 'State; `active` by default.'),
})
