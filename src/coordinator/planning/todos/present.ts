import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { fullNamesOf } from '../../http/presenters/full-names.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { type PresentDeps, presentIssues } from '../issues/present.js'
import type { Issue } from '../issues/record-schema.js'
import { presentMergeRequests } from '../merge-requests/present.js'
import type { MergeRequest } from '../merge-requests/record-schema.js'
import type { TodoRow } from '../stores/todo-store.js'
import type { Todo } from './schema.js'

/** Public records in the order of the rows, as their user sees them, without those whose target no longer exists. */
export async function presentTodos(deps: PresentDeps, rows: readonly TodoRow[], user: User): Promise<Todo[]> {
  const { database, externalUrl } = deps
  const authors = await usersById(
    database,
    rows.map(({ author_id }) => author_id),
  )
  const projects = await projectsOf(database, rows)
  const issues = await issuesOf(deps, rows, user)
  const mergeRequests = await mergeRequestsOf(deps, rows)
  return rows.flatMap((row) => {
    const author = authors.get(row.author_id)
    const project = projects.get(row.project_id)
    const target = issues.get(row.issue_id ?? 0) ?? mergeRequests.get(row.merge_request_id ?? 0)
    if (!author || !project || !target) return []
    return [
      {
        id: row.id,
        project,
        author: presentUser(author, externalUrl),
        action_name: row.action,
        target_type: row.issue_id === null ? 'MergeRequest' : 'Issue',
        target,
        target_url: target.web_url,
        body: target.title,
        state: row.state,
        created_at: isoTime(row.created_at),
        updated_at: isoTime(row.updated_at),
      },
    ]
  })
}

/** The record of one item. Throws 404 if its target no longer exists. */
export async function presentTodo(deps: PresentDeps, row: TodoRow, user: User): Promise<Todo> {
  const [record] = await presentTodos(deps, [row], user)
  if (!record) throw notFound()
  return record
}

async function projectsOf(
  database: Database,
  rows: readonly TodoRow[],
): Promise<Map<number, Todo['project']>> {
  const ids = [...new Set(rows.map(({ project_id }) => project_id))]
  if (ids.length === 0) return new Map()
  const projects = await database
    .selectFrom('project')
    .select(['id', 'name', 'path', 'full_path'])
    .where('id', 'in', ids)
    .execute()
  const fullNames = await fullNamesOf(database, projects)
  return new Map(
    projects.map(({ id, name, path, full_path }) => [
      id,
      { id, name, name_with_namespace: fullNames.get(id) ?? name, path, path_with_namespace: full_path },
    ]),
  )
}

async function issuesOf(
  deps: PresentDeps,
  rows: readonly TodoRow[],
  user: User,
): Promise<Map<number, Issue>> {
  const ids = rows.flatMap(({ issue_id }) => issue_id ?? [])
  if (ids.length === 0) return new Map()
  const issues = await deps.database.selectFrom('issue').selectAll().where('id', 'in', ids).execute()
  const records = await presentIssues(deps, issues, undefined, user)
  return new Map(records.map((record) => [record.id, record]))
}

async function mergeRequestsOf(
  deps: PresentDeps,
  rows: readonly TodoRow[],
): Promise<Map<number, MergeRequest>> {
  const ids = rows.flatMap(({ merge_request_id }) => merge_request_id ?? [])
  if (ids.length === 0) return new Map()
  const found = await deps.database.selectFrom('merge_request').selectAll().where('id', 'in', ids).execute()
  return new Map((await presentMergeRequests(deps, found)).map((record) => [record.id, record]))
}
