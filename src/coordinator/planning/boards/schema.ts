import { type Static, Type } from 'typebox'

import { SimpleProject } from '../../hosting/projects/record/schema.js'
import { described, flag, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { LabelDetails } from '../labels/label-details.js'
import { Names } from '../planned-parameters.js'

const BoardId = described(Type.Integer(), 'ID of the board.')
const ListId = described(Type.Integer(), 'ID of the list.')
const Name = Type.String({ maxLength: 255 })

export const ByBoard = Type.Object({ board_id: BoardId })
export const ByList = Type.Object({ board_id: BoardId, list_id: ListId })

const settings = {
  hide_backlog_list: optional(Type.Boolean(), 'Whether to hide the list of open issues; false by default.'),
  hide_closed_list: optional(Type.Boolean(), 'Whether to hide the list of closed issues; false by default.'),
  milestone_id: optional(
    Nullable(Type.Integer()),
    'ID of the milestone to which the board is limited; null or `0` for none.',
  ),
  assignee_id: optional(
    Nullable(Type.Integer()),
    'ID of the assignee to whom the board is limited; null or `0` for none.',
  ),
  labels: optional(Names, 'Names of the labels to which the board is limited; empty for none.'),
  weight: optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    'Weight to which the board is limited; null for none.',
  ),
}

export const CreateBoard = Type.Object({ name: described(Name, 'Name.'), ...settings })
export type CreateBoard = Static<typeof CreateBoard>

export const EditBoard = Type.Object({ board_id: BoardId, name: optional(Name, 'New name.'), ...settings })
export type EditBoard = Static<typeof EditBoard>

/** Parameters of which an update needs one. */
export const CHANGES = ['name', ...Object.keys(settings)]

export const CreateList = Type.Object({
  board_id: BoardId,
  label_id: optional(Type.Integer(), 'ID of the label whose issues the list shows.'),
  assignee_id: optional(Type.Integer(), 'ID of the assignee whose issues the list shows.'),
  milestone_id: optional(Type.Integer(), 'ID of the milestone whose issues the list shows.'),
})
export type CreateList = Static<typeof CreateList>

/** Parameters of which one says what a list shows. */
export const SUBJECTS = ['label_id', 'assignee_id', 'milestone_id']

export const MoveList = Type.Object({
  ...ByList.properties,
  position: described(Type.Integer(), 'Position of the list within the board; 0 is the first.'),
})
export type MoveList = Static<typeof MoveList>

/** API, F6. One of `label`, `assignee` and `milestone` is set. */
export const BoardList = Type.Object({
  id: ListId,
  label: described(Nullable(LabelDetails), 'Label whose issues the list shows; null for other lists.'),
  assignee: described(Nullable(PublicUser), 'Assignee whose issues the list shows; null for other lists.'),
  milestone: described(Nullable(Milestone), 'Milestone whose issues the list shows; null for other lists.'),
  position: described(Type.Integer(), 'Position within the board; 0 is the first.'),
  max_issue_count: described(Type.Integer(), 'Maximum number of issues; always 0, which is no limit.'),
  max_issue_weight: described(Type.Integer(), 'Maximum weight of the issues; always 0, which is no limit.'),
  limit_metric: described(NullableText, 'What the maximum counts; always null.'),
})
export type BoardList = Static<typeof BoardList>

const BoardGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the group.'),
  name: described(Type.String(), 'Name of the group.'),
  web_url: described(Type.String(), 'URL of the group page.'),
})

/** API, F6. Either `project` or `group` is set. */
export const Board = Type.Object({
  id: BoardId,
  name: described(Type.String(), 'Name.'),
  hide_backlog_list: flag('Whether the list of open issues is hidden.'),
  hide_closed_list: flag('Whether the list of closed issues is hidden.'),
  project: described(Nullable(SimpleProject), 'Project; null for the board of a group.'),
  group: described(Nullable(BoardGroup), 'Group; null for the board of a project.'),
  milestone: described(Nullable(Milestone), 'Milestone to which the board is limited; null if none.'),
  assignee: described(Nullable(PublicUser), 'Assignee to whom the board is limited; null if none.'),
  labels: described(Type.Array(LabelDetails), 'Labels to which the board is limited.'),
  weight: described(Nullable(Type.Integer()), 'Weight to which the board is limited; null if none.'),
  lists: described(Type.Array(BoardList), 'Lists, in their order; without those of open and closed issues.'),
})
export type Board = Static<typeof Board>
