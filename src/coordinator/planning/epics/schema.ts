import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'

const Iid = described(Type.Integer(), 'Number of the epic within its group.')
const Title = Type.String({ maxLength: 255 })

const fields = {
  description: optional(
    Nullable(Type.String({ maxLength: 1_048_576 })),
    'Description in Markdown; null if there is none.',
  ),
  start_date: optional(Nullable(DateOnly()), 'First day; null for none.'),
  due_date: optional(Nullable(DateOnly()), 'Day on which the epic is due; null for none.'),
}

export const ByIid = Type.Object({ epic_iid: Iid })

export const CreateEpic = Type.Object({ title: described(Title, 'Title.'), ...fields })
export type CreateEpic = Static<typeof CreateEpic>

export const EditEpic = Type.Object({
  epic_iid: Iid,
  title: optional(Title, 'Title.'),
  ...fields,
  state_event: optional(OneOf('close', 'reopen'), 'Whether to close or to reopen the epic.'),
})
export type EditEpic = Static<typeof EditEpic>

/** Parameters of which an update needs one. */
export const CHANGES = ['title', 'description', 'start_date', 'due_date', 'state_event']

export const ListEpics = Type.Object({
  iids: optional(Type.Array(Type.Integer()), 'Numbers of epics within the group.'),
  state: optional(OneOf('opened', 'closed', 'all'), 'State; `all` by default.'),
  author_id: optional(Type.Integer(), 'ID of the author.'),
  search: optional(Type.String(), 'Text in the title or the description.'),
  created_after: optional(DateTime(), 'Earliest time of creation.'),
  created_before: optional(DateTime(), 'Latest time of creation.'),
  updated_after: optional(DateTime(), 'Earliest time of the last change.'),
  updated_before: optional(DateTime(), 'Latest time of the last change.'),
  order_by: optional(OneOf('created_at', 'updated_at', 'title'), 'Order; `created_at` by default.'),
  sort: optional(SortDirection, 'Direction; `desc` by default.'),
})
export type ListEpics = Static<typeof ListEpics>

const ChildId = described(Type.Integer(), 'ID of the child, which may be an epic of another group.')

export const ByChild = Type.Object({ epic_iid: Iid, child_epic_id: ChildId })

export const CreateChild = Type.Object({ epic_iid: Iid, title: described(Title, 'Title of the new epic.') })

export const MoveChild = Type.Object({
  ...ByChild.properties,
  move_before_id: optional(Type.Integer(), 'ID of the child that comes before this one.'),
  move_after_id: optional(Type.Integer(), 'ID of the child that comes after this one.'),
})

/** Parameters of which a move needs one. */
export const NEIGHBORS = ['move_before_id', 'move_after_id']

/** The record of a new child. */
export const NewChild = Type.Object({
  id: described(Type.Integer(), 'ID of the epic.'),
  iid: described(Type.Integer(), 'Number of the epic within its group.'),
  title: described(Type.String(), 'Title.'),
  group_id: described(Type.Integer(), 'ID of the group.'),
  parent_id: described(Nullable(Type.Integer()), 'ID of the epic of the path.'),
  has_children: described(Type.Boolean(), 'Whether it has children; false.'),
  has_issues: described(Type.Boolean(), 'Whether it has issues; false.'),
  reference: described(Type.String(), 'Reference in texts of the group: `&3`.'),
  url: described(Type.String(), 'URL of the epic page.'),
  relation_url: described(Type.String(), 'URL of the link on the page of the parent.'),
})

export const EpicLinkType = OneOf('relates_to', 'blocks', 'is_blocked_by')
export type EpicLinkType = Static<typeof EpicLinkType>

export const CreateEpicLink = Type.Object({
  epic_iid: Iid,
  target_group_id: described(
    Type.Union([Type.Integer(), Type.String()]),
    'ID or full path of the group of the other epic.',
  ),
  target_epic_iid: described(Type.Integer(), 'Number of the other epic within its group.'),
  link_type: optional(EpicLinkType, 'What this epic does to the other one; `relates_to` by default.'),
})
export type CreateEpicLink = Static<typeof CreateEpicLink>

export const ByLink = Type.Object({
  epic_iid: Iid,
  related_epic_link_id: described(Type.Integer(), 'ID of the link.'),
})
