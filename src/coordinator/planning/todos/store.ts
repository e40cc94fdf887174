import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { isIssueSeen, readsIssues, readsMergeRequests } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import type { TodoRow } from '../../hosting/todo-store.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { TodoFilter } from './schema.js'

type Condition = RawBuilder<SqlBool>

/** Lists the items of a user whose targets the user may see, the newest first. */
export function listTodos(
  database: Database,
  user: User,
  { state = 'pending', ...filter }: TodoFilter,
  paging: Paging,
): Promise<Rows<TodoRow>> {
  const ofUser = database
    .selectFrom('todo')
    .where('todo.user_id', '=', user.id)
    .where('todo.state', '=', state)
    .where(isTargetSeen(database, user))
  const matching = conditionsOf(filter).reduce((query, condition) => query.where(condition), ofUser)
  return listRows(database, matching, paging, { table: 'todo', column: 'id', direction: 'desc' })
}

/** An item of a user whose target the user may see. */
export function findTodo(database: Database, user: User, id: number): Promise<TodoRow | undefined> {
  return database
    .selectFrom('todo')
    .selectAll()
    .where('todo.id', '=', id)
    .where('todo.user_id', '=', user.id)
    .where(isTargetSeen(database, user))
    .executeTakeFirst()
}

/** Conditions on the table `todo`. */
export function conditionsOf(filter: Omit<TodoFilter, 'state'>): Condition[] {
  const { action, author_id, project_id, group_id, type } = filter
  return [
    ...(action === undefined ? [] : [sql<SqlBool>`todo.action = ${action}`]),
    ...(author_id === undefined ? [] : [sql<SqlBool>`todo.author_id = ${author_id}`]),
    ...(project_id === undefined ? [] : [sql<SqlBool>`todo.project_id = ${project_id}`]),
    ...(group_id === undefined ? [] : [isBelow(group_id)]),
    ...(type === undefined ? [] : [isAbout(type)]),
  ]
}

function isBelow(groupId: number): Condition {
  return sql<SqlBool>`todo.project_id in (
    select project.id from project
      join group_tree on group_tree.group_id = project.namespace_id
      where group_tree.ancestor_id = ${groupId})`
}

function isAbout(type: NonNullable<TodoFilter['type']>): Condition {
  if (type === 'Issue') return sql<SqlBool>`todo.issue_id is not null`
  if (type === 'MergeRequest') return sql<SqlBool>`todo.merge_request_id is not null`
  return sql<SqlBool>`1 = 0`
}

/** The project is looked up for each item: a user has fewer items than an instance may have projects. */
function isTargetSeen(database: Database, viewer: User): Condition {
  const project = database
    .selectFrom('project')
    .select('project.id')
    .where(() => sql<SqlBool>`project.id = todo.project_id`)
  return sql<SqlBool>`(
    (todo.issue_id is not null and exists (
      select 1 from issue join project on project.id = issue.project_id
        where issue.id = todo.issue_id and ${readsIssues(viewer)} and ${isIssueSeen(viewer)}))
    or (todo.merge_request_id is not null and exists ${project.where(() => readsMergeRequests(viewer))}))`
}
