import { type Static, Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { countOpenIssuesOf } from '../../../hosting/issue-store.js'
import { countPendingTodos } from '../../../hosting/todo-store.js'
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

/** Counts of the user. Merge requests do not exist yet, so their counts are 0. */
export async function ownCounts(database: Database, user: User): Promise<Static<typeof OwnCounts>> {
  return {
    merge_requests: 0,
    assigned_issues: await countOpenIssuesOf(database, user.id),
    assigned_merge_requests: 0,
    review_requested_merge_requests: 0,
    todos: await countPendingTodos(database, user.id),
  }
}
