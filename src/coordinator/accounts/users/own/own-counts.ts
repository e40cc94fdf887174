import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

export const OwnCounts = Type.Object({
  merge_requests: described(Type.Integer(), 'Open merge requests that are assigned to the caller.'),
  assigned_issues: described(Type.Integer(), 'Open issues that are assigned to the caller.'),
  assigned_merge_requests: described(Type.Integer(), 'The same as `merge_requests`.'),
  review_requested_merge_requests: described(
    Type.Integer(),
    'Open merge requests that the caller is asked to review.',
  ),
  todos: described(Type.Integer(), 'What the caller has been asked to do and has not done.'),
})

/** There are neither issues nor merge requests yet: nothing can wait for anybody. */
export const OWN_COUNTS: Static<typeof OwnCounts> = {
  merge_requests: 0,
  assigned_issues: 0,
  assigned_merge_requests: 0,
  review_requested_merge_requests: 0,
  todos: 0,
}
