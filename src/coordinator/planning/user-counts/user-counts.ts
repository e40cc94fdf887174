import { type Static, Type } from 'typebox'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { described } from '../../http/parameters/described.js'
import { countOpenIssuesOf } from '../stores/issue-store.js'
import { countOpenMergeRequestsOf } from '../stores/merge-request-store.js'
import { countPendingTodos } from '../stores/todo-store.js'

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

/** Counts of the user, without archived projects. */
export async function userCounts(database: Database, user: User): Promise<Static<typeof UserCounts>> {
  const assigned = await countOpenMergeRequestsOf(database, 'assignee', user.id)
  return {
    merge_requests: assigned,
    assigned_issues: await countOpenIssuesOf(database, user.id),
    assigned_merge_requests: assigned,
    review_requested_merge_requests: await countOpenMergeRequestsOf(database, 'reviewer', user.id),
    todos: await countPendingTodos(database, user.id),
  }
}
