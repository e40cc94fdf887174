import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

export const OwnCounts = Type.Object({
  merge_requests: described(Type.Integer(), 'Number of open merge requests assigned to the caller.'),
  assigned_issues: described(Type.Integer(), 'Number of open issues assigned to the caller.'),
  assigned_merge_requests: described(Type.Integer(), 'The same as `merge_requests`.'),
  review_requested_merge_requests: described(
    Type.Integer(),
    'Number of open merge requests for review by the caller.',
  ),
  todos: described(Type.Integer(), 'Number of pending to-do items of the caller.'),
})

/** Issues and merge requests do not exist yet, so all counts are 0. */
export const OWN_COUNTS: Static<typeof OwnCounts> = {
  merge_requests: 0,
  assigned_issues: 0,
  assigned_merge_requests: 0,
  review_requested_merge_requests: 0,
  todos: 0,
}
