import { sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { readsMergeRequests } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import { seenTodos } from '../stores/todo-store.js'

/** Lists of what waits for a user are this long. */
export const SHOWN = 20
/** Older merge requests of an author are not searched for those that cannot be merged. */
const SEARCHED = 200

/** Merge requests that the user was asked to review and has not reviewed; those asked for last come first. */
export function findWantedReviews(database: Database, viewer: User) {
  return database
    .selectFrom('merge_request_reviewer')
    .innerJoin('merge_request', 'merge_request.id', 'merge_request_reviewer.merge_request_id')
    .innerJoin('project', 'project.id', 'merge_request.project_id')
    .select(['merge_request.id', 'merge_request.iid', 'merge_request.title', 'merge_request.author_id'])
    .select(['merge_request_reviewer.created_at as requested_at'])
    .select(['project.id as project_id', 'project.name as project_name', 'project.full_path'])
    .where('merge_request_reviewer.user_id', '=', viewer.id)
    .where('merge_request_reviewer.state', '=', 'unreviewed')
    .where('merge_request.state', '=', 'opened')
    .where('merge_request.draft', '=', false)
    .where('project.archived', '=', false)
    .where(readsMergeRequests(viewer))
    .orderBy('merge_request_reviewer.created_at', 'desc')
    .orderBy('merge_request.id', 'desc')
    .limit(SHOWN)
    .execute()
}

/** The open ones of the latest merge requests of the user. */
export function findOwnMergeRequests(database: Database, viewer: User) {
  return database
    .selectFrom('merge_request')
    .innerJoin('project', 'project.id', 'merge_request.project_id')
    .select(['merge_request.id', 'merge_request.iid', 'merge_request.title', 'merge_request.merge_status'])
    .select(['project.id as project_id', 'project.name as project_name', 'project.full_path'])
    .where(
      sql<SqlBool>`merge_request.id in (select own.id from merge_request as own
        where own.author_id = ${viewer.id} order by own.created_at desc, own.id desc limit ${SEARCHED})`,
    )
    .where('merge_request.state', '=', 'opened')
    .where('project.archived', '=', false)
    .where(readsMergeRequests(viewer))
    .orderBy('merge_request.id', 'desc')
    .execute()
}

/** The newest pending to-do items of the user, with what they are about. */
export function findPendingTodos(database: Database, viewer: User) {
  return seenTodos(database, viewer)
    .leftJoin('merge_request', 'merge_request.id', 'todo.merge_request_id')
    .select(['todo.id', 'todo.action', 'todo.author_id', 'todo.created_at', 'todo.merge_request_id'])
    .select((eb) => [
      eb.fn.coalesce('issue.title', 'merge_request.title').$castTo<string>().as('title'),
      eb.fn.coalesce('issue.iid', 'merge_request.iid').$castTo<number>().as('iid'),
    ])
    .select(['project.id as project_id', 'project.name as project_name', 'project.full_path'])
    .where('todo.state', '=', 'pending')
    .orderBy('todo.id', 'desc')
    .limit(2 * SHOWN)
    .execute()
}
