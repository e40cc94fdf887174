import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const NullableText = Nullable(Type.String())
const NullableInteger = Nullable(Type.Integer())

const PushData = Type.Object({
  commit_count: described(
    Type.Integer(),
    'How many commits the ref got; 0 for a tag, and for a ref that has gone.',
  ),
  action: described(OneOf('created', 'pushed', 'removed'), 'What became of the ref.'),
  ref_type: described(OneOf('branch', 'tag'), 'What it is.'),
  commit_from: described(NullableText, 'Id of the commit before; null = the ref is new.'),
  commit_to: described(NullableText, 'Id of the commit after; null = the ref has gone.'),
  ref: described(NullableText, 'Name of the branch or tag.'),
  commit_title: described(NullableText, 'First line of the message of the newest commit; null = none.'),
  ref_count: described(
    NullableInteger,
    'How many refs were moved, of pushes that are told of as one; null = one.',
  ),
})

export const Event = Type.Object({
  id: described(Type.Integer(), 'Number of the event.'),
  project_id: described(NullableInteger, 'Number of the project in which it happened.'),
  action_name: described(
    Type.String(),
    '`created`, `joined`, `left`, `pushed to`, `pushed new`, `deleted`, or `removed due to membership expiration from`.',
  ),
  target_id: described(NullableInteger, 'Number of what it was done to; null = the project, or a ref of it.'),
  target_iid: described(NullableInteger, 'Number of that in its project; null = none.'),
  target_type: described(NullableText, 'Kind of what it was done to; null = the project, or a ref of it.'),
  author_id: described(Type.Integer(), 'Number of the user who did it.'),
  target_title: described(NullableText, 'Title of what it was done to; null = none.'),
  created_at: described(DateTime(), 'When it happened.'),
  author: described(PublicUser, 'Who did it.'),
  author_username: described(Type.String(), 'Username of who did it.'),
  push_data: described(Type.Optional(PushData), 'What was pushed; only of pushes.'),
})
export type Event = Static<typeof Event>

const Actions = OneOf(
  ...(['created', 'updated', 'closed', 'reopened', 'pushed', 'commented', 'merged'] as const),
  ...(['joined', 'left', 'destroyed', 'expired', 'approved'] as const),
)
const Targets = OneOf(
  ...(['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'] as const),
  ...(['wiki', 'design', 'epic'] as const),
)

const filters = {
  action: described(
    Type.Optional(Actions),
    'Only events of this action; `pushed` means every move of a ref.',
  ),
  target_type: described(Type.Optional(Targets), 'Only what was done to this kind of thing.'),
  before: described(Type.Optional(DateOnly()), 'Only what happened before this day (UTC).'),
  after: described(Type.Optional(DateOnly()), 'Only what happened after this day (UTC).'),
  sort: described(Type.Optional(SortDirection), 'By time; default `desc`, the newest first.'),
}

export const ListEvents = Type.Object(filters)
export type ListEvents = Static<typeof ListEvents>

export const ListOwnEvents = Type.Object({
  ...filters,
  scope: described(
    Type.Optional(OneOf('all')),
    "`all`: everybody's in the projects that the caller is a member of; default: the caller's own.",
  ),
})

export const ListEventsOfUser = Type.Object({
  user_id: described(Type.String(), 'Number or username of the user.'),
  ...filters,
})
