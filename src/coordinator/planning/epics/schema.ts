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
