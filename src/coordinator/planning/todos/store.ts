import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { readListScope } from '../../access/list-scope.js'
import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { seenTodos, type TodoRow } from '../stores/todo-store.js'
import type { TodoFilter } from './schema.js'

type Condition = RawBuilder<SqlBool>

/** Lists the items of a user whose targets the user may see, the newest first. */
export async function listTodos(
  database: Database,
  caller: User,
  { state = 'pending', group_id: groupId, ...filter }: TodoFilter,
  paging: Paging,
): Promise<Rows<TodoRow>> {
  const { viewer, groupIds } = await readListScope(database, { viewer: caller, groupId })
  const ofUser = seenTodos(database, viewer)
    .where('todo.state', '=', state)
    .$if(groupIds !== undefined, (query) => query.where(sql<SqlBool>`project.namespace_id in ${groupIds}`))
  const matching = conditionsOf(filter).reduce((query, condition) => query.where(condition), ofUser)
  return listRows(database, matching, paging, { table: 'todo', column: 'id', direction: 'desc' })
}

/** An item of a user whose target the user may see. */
export function findTodo(database: Database, user: User, id: number): Promise<TodoRow | undefined> {
  return seenTodos(database, user).selectAll('todo').where('todo.id', '=', id).executeTakeFirst()
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
