import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

export const UserCounts = Type.Object({
  merge_requests: described(Type.Integer(), 'Number of open merge requests assigned to the caller.'),
  assigned_issues: described(Type.Integer(), 'Number of open issues assigned to the caller.'),
  assigned_merge_requests: described(Type.Integer(), 'The same as `merge_requests`.'),
  review_requested_merge_requests: described(
    Type.Integer(),
    'Number of open merge requests for review by the caller.',
  ),
  todos: described(Type.Integer(), 'Number of pending to-do items of the caller.'),
})
export type UserCounts = Static<typeof UserCounts>
