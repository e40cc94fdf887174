import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { LabelDetails } from '../labels/label-details.js'

const EventId = described(Type.Integer(), 'ID of the event.')

const issue = { issue_iid: described(Type.Integer(), 'Number of the issue within its project.') }
const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}

export const OfIssue = {
  list: Type.Object(issue),
  one: Type.Object({ ...issue, event_id: EventId }),
}

export const OfMergeRequest = {
  list: Type.Object(mergeRequest),
  one: Type.Object({ ...mergeRequest, event_id: EventId }),
}

const common = {
  id: EventId,
  user: described(Nullable(PublicUser), 'User who made the change.'),
  created_at: described(Type.String(), 'Time of the change.'),
  resource_type: described(OneOf('Issue', 'MergeRequest'), 'Kind of the object.'),
  resource_id: described(Type.Integer(), 'ID of the object.'),
}

const action = described(OneOf('add', 'remove'), 'What was done.')

/** API, F2. */
export const LabelEvent = Type.Object({
  ...common,
  label: described(Nullable(LabelDetails), 'Label; null if it was deleted.'),
  action,
})
export type LabelEvent = Static<typeof LabelEvent>

export const StateEvent = Type.Object({
  ...common,
  state: described(OneOf('closed', 'reopened', 'merged'), 'New state.'),
})
export type StateEvent = Static<typeof StateEvent>

export const MilestoneEvent = Type.Object({
  ...common,
  milestone: described(Nullable(Milestone), 'Milestone; null if it was deleted.'),
  action,
})
export type MilestoneEvent = Static<typeof MilestoneEvent>
