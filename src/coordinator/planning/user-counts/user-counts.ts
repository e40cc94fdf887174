import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { countOpenIssuesOf } from '../stores/issue-store.js'
import { countOpenMergeRequestsOf } from '../stores/merge-request-store.js'
import { countPendingTodosOf } from '../stores/todo-store.js'
import type { UserCounts } from './schema.js'

/** Counts of the user, without archived projects. */
export async function userCounts(database: Database, user: User): Promise<UserCounts> {
  const assigned = await countOpenMergeRequestsOf(database, 'assignee', user.id)
  return {
    merge_requests: assigned,
    assigned_issues: await countOpenIssuesOf(database, user.id),
    assigned_merge_requests: assigned,
    review_requested_merge_requests: await countOpenMergeRequestsOf(database, 'reviewer', user.id),
    todos: await countPendingTodosOf(database, user),
  }
}
