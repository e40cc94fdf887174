import { sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { isMemberOfProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { NoticeKind } from '../../database/tables/mails.js'
import { commentersOf } from '../../hosting/note-store.js'
import { findProject } from '../../hosting/repositories/store.js'
import { type Noticed, noticedIssue, noticedMergeRequest } from '../notices/add-todos.js'
import { mentionsIn } from '../notices/mentions.js'
import { labelsOfIssues } from '../stores/issue-label-store.js'
import { assigneesOf, findIssueById, type IssueRow } from '../stores/issue-store.js'
import { labelsOfMergeRequests } from '../stores/merge-request-label-store.js'
import {
  assigneesOfMergeRequests,
  findMergeRequestById,
  type MergeRequestRow,
  reviewersOf,
} from '../stores/merge-request-store.js'
import type { Reason } from './recipients.js'
import { activeUsersNamed, subscribersOfIssue, subscribersOfMergeRequest } from './subscriptions.js'

/** An issue or a merge request with its people, as mails need it. */
export type Planned = {
  project: Project
  assignees: number[]
  reviewers: number[]
  labels: { id: number; name: string }[]
  subscriptions: Map<number, boolean>
  target: Noticed
  /** Path of its page, from the root. */
  path: string
  /** How texts name it. */
  name: string
  /** `#12`, `!12`. */
  reference: string
} & (
  | { kind: Extract<NoticeKind, 'issue'>; row: IssueRow }
  | { kind: Extract<NoticeKind, 'merge_request'>; row: MergeRequestRow }
)

/** Undefined if it, or its project, was deleted. */
export async function findPlanned(
  database: Database,
  kind: Planned['kind'],
  id: number,
): Promise<Planned | undefined> {
  return kind === 'issue' ? findPlannedIssue(database, id) : findPlannedMergeRequest(database, id)
}

async function findPlannedIssue(database: Database, id: number): Promise<Planned | undefined> {
  const row = await findIssueById(database, id)
  const project = row && (await findProject(database, row.project_id))
  if (!row || !project) return undefined
  return {
    kind: 'issue',
    row,
    project,
    assignees: (await assigneesOf(database, [id])).get(id) ?? [],
    reviewers: [],
    labels: (await labelsOfIssues(database, [id])).get(id) ?? [],
    subscriptions: await subscribersOfIssue(database, id),
    target: noticedIssue(row),
    path: `${project.full_path}/-/issues/${row.iid}`,
    name: 'issue',
    reference: `#${row.iid}`,
  }
}

async function findPlannedMergeRequest(database: Database, id: number): Promise<Planned | undefined> {
  const row = await findMergeRequestById(database, id)
  const project = row && (await findProject(database, row.project_id))
  if (!row || !project) return undefined
  const reviewers = (await reviewersOf(database, [id])).get(id) ?? []
  return {
    kind: 'merge_request',
    row,
    project,
    assignees: (await assigneesOfMergeRequests(database, [id])).get(id) ?? [],
    reviewers: reviewers.map(({ user_id }) => user_id),
    labels: (await labelsOfMergeRequests(database, [id])).get(id) ?? [],
    subscriptions: await subscribersOfMergeRequest(database, id),
    target: noticedMergeRequest(row),
    path: `${project.full_path}/-/merge_requests/${row.iid}`,
    name: 'merge request',
    reference: `!${row.iid}`,
  }
}

/**
 * Who is involved: the author, assignees, reviewers, those who have commented, and whom the description or `text`
 * mentions; each by the most important of their roles.
 */
export async function involvedIn(
  database: Database,
  { kind, row, assignees, reviewers }: Planned,
  text: string | null = null,
): Promise<Map<number, Reason>> {
  const column = kind === 'issue' ? 'issue_id' : 'merge_request_id'
  const involved = new Map<number, Reason>()
  const add = (ids: readonly number[], reason: Reason) => {
    for (const id of ids) if (!involved.has(id)) involved.set(id, reason)
  }
  add(await mentionedIn(database, text), 'mentioned')
  add(assignees, 'assigned')
  add(reviewers, 'review_requested')
  add(await mentionedIn(database, row.description), 'mentioned')
  add([row.author_id], 'author')
  add(await commentersOf(database, { column, id: row.id }), 'participating')
  return involved
}

/** IDs of those whom a text mentions, and `before` did not. */
export async function mentionedIn(
  database: Database,
  text: string | null,
  before: string | null = null,
): Promise<number[]> {
  if (!text?.includes('@')) return []
  const [now, then] = [mentionsIn(text), mentionsIn(before ?? '')]
  const names = [...now.addressed, ...now.others]
  return activeUsersNamed(
    database,
    names.filter((name) => !then.addressed.has(name) && !then.others.has(name)),
  )
}

/** Whether the user is at least a reporter of the project, and sees internal comments. */
export async function isReporter(database: Database, projectId: number, user: User): Promise<boolean> {
  if (user.is_admin) return true
  const row = await database
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .where(sql<SqlBool>`${isMemberOfProject(user, ACCESS_LEVELS.reporter)}`)
    .executeTakeFirst()
  return row !== undefined
}
