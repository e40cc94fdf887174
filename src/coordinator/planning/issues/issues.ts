import type { Updateable } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { isMemberOfProject, maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import type { IssueTable } from '../../database/tables/issues.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import { apiError, forbidden, invalidRecord } from '../../http/errors.js'
import { emitIssueEvent } from '../../integrations/webhooks/outbox/emit-issue-event.js'
import { activeUsersAmong } from '../access/active-users.js'
import { type CallerInProject, lockTheIssue, managesIssues } from '../access/issue-access.js'
import { changeEpic } from '../epic-of-issue.js'
import { closed, issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { noticeAssignees, noticedIssue } from '../notices/add-todos.js'
import { followText } from '../notices/follow-text.js'
import { noticeIssueByMail } from '../notices/mail-notices.js'
import { labelsOfIssues, setIssueLabels } from '../stores/issue-label-store.js'
import {
  deleteIssueRow,
  insertIssue,
  type IssueRow,
  setAssignees,
  updateIssueRow,
} from '../stores/issue-store.js'
import { findOrCreateLabels } from '../stores/label-store.js'
import type { CreateIssue, EditIssue } from './schema.js'

/** Where a request comes from. */
export interface Origin {
  userAgent: string | undefined
  address: string
}

/**
 * Creates an issue. Fields that only reporters may set are ignored for others, as are assignees who may not
 * see the project. Throws 400 for an empty title, 403 for `iid` and `created_at` of users who are no owners, 404 and 403 for
 * an epic as `changeEpic`, and 409 for an `iid` that is used.
 */
export async function createIssue(
  database: Database,
  caller: CallerInProject & { user: User },
  params: CreateIssue,
  origin: Origin,
): Promise<IssueRow> {
  const { project, user } = caller
  const { title, description = null, iid, created_at, confidential = false } = params
  checkTitle(title)
  if (created_at !== undefined || iid !== undefined) checkOwner(caller)
  const now = created_at === undefined ? Date.now() : Date.parse(created_at)
  const values = {
    project_id: project.id,
    author_id: user.id,
    title: title.trim(),
    description,
    confidential,
    iid,
    issue_type: params.issue_type ?? 'issue',
    created_at: now,
    updated_at: now,
    user_agent: origin.userAgent ?? null,
    ip_address: origin.address,
  }
  try {
    return await inTransaction(database, async (tx) => {
      const more = managesIssues(caller) ? await metadata(tx, project, params) : {}
      const row = await insertIssue(tx, { ...values, ...more })
      const assignees = managesIssues(caller) ? await allowedAssignees(tx, project, params) : undefined
      if (assignees) await setAssignees(tx, row.id, assignees)
      if (managesIssues(caller)) await changeLabels(tx, caller, row.id, params)
      if (managesIssues(caller)) await changeEpic(tx, user, row.id, params.epic_id)
      const after = await issueSnapshot(tx, row)
      const target = noticedIssue(row)
      await noticeAssignees(tx, target, user, { before: [], after: after.assignees })
      await followText(tx, target, user, { after: row.description })
      await noticeIssueByMail(tx, user, undefined, after)
      await emitIssueEvent(tx, { after, action: 'open', userId: user.id })
      return row
    })
  } catch (error) {
    if (iid !== undefined && isUniqueViolation(error)) throw apiError('issue_exists')
    throw error
  }
}

/** What only reporters set: they plan the work. */
async function metadata(
  tx: Transaction,
  project: Project,
  { due_date, weight, discussion_locked, milestone_id }: CreateIssue | EditIssue,
): Promise<Updateable<IssueTable>> {
  return {
    ...(due_date === undefined ? {} : { due_date }),
    ...(weight === undefined ? {} : { weight }),
    ...(discussion_locked === undefined ? {} : { discussion_locked }),
    ...(milestone_id === undefined ? {} : { milestone_id: await milestoneFor(tx, project, milestone_id) }),
  }
}

/** An unknown milestone, and one of another project, is as none. */
async function milestoneFor(tx: Transaction, project: Project, id: number | null): Promise<number | null> {
  if (id === null || id === 0) return null
  const [milestone] = await milestonesForProject(tx, project.id, { ids: [id] })
  return milestone?.id ?? null
}

type Assigned = Pick<EditIssue, 'assignee_ids' | 'assignee_id'>

/** The wanted assignees who may see the issues of the project, each once; undefined = no change is wanted. */
export async function allowedAssignees(
  tx: Transaction,
  project: Project,
  { assignee_ids, assignee_id }: Assigned,
): Promise<number[] | undefined> {
  if (assignee_ids === undefined && assignee_id === undefined) return undefined
  const wanted = assignee_ids === undefined ? [assignee_id ?? null] : (assignee_ids ?? [])
  return activeUsersAmong(tx, wanted, (user) => readsIssues(tx, project, user))
}

async function readsIssues(tx: Transaction, project: Project, user: User): Promise<boolean> {
  const isForMembers = project.issues_access_level === 'private' && !user.is_admin
  const row = await tx
    .selectFrom('project')
    .select('id')
    .where('id', '=', project.id)
    .where(() => (isForMembers ? isMemberOfProject(user, ACCESS_LEVELS.guest) : maySeeProject(user)))
    .executeTakeFirst()
  return row !== undefined
}

/** Names of the parameters with which authors edit their own issues; all others are for reporters. */
const FOR_AUTHORS = new Set(['issue_iid', 'title', 'description', 'state_event', 'confidential'])

/**
 * Changes an issue. Throws 404 for an unknown one, 403 for callers who may not change it, and 400 for an
 * empty title.
 */
export async function editIssue(
  database: Database,
  caller: CallerInProject & { user: User },
  params: EditIssue,
): Promise<IssueRow> {
  if (params.title !== undefined) checkTitle(params.title)
  return inTransaction(database, async (tx) => {
    const before = await lockTheIssue(tx, caller, params.issue_iid)
    checkEditor(caller, before, params)
    const changes = await changesOf(tx, caller, before, params)
    const was = await issueSnapshot(tx, before)
    const assignees = await allowedAssignees(tx, caller.project, params)
    if (assignees) await setAssignees(tx, before.id, assignees)
    const { updated_at } = params
    const row = await updateIssueRow(tx, before, {
      ...changes,
      updated_by_id: caller.user.id,
      updated_at: updated_at === undefined ? Date.now() : Date.parse(updated_at),
    })
    await changeLabels(tx, caller, before.id, params)
    await changeEpic(tx, caller.user, before.id, params.epic_id)
    const is = await issueSnapshot(tx, row)
    await recordIssueChange(tx, caller.user, was, is)
    return row
  })
}

type LabelChanges = Pick<EditIssue, 'labels' | 'add_labels' | 'remove_labels'>

/** Labels that do not exist are created if the caller may; otherwise they are ignored. */
async function changeLabels(
  tx: Transaction,
  caller: CallerInProject,
  issueId: number,
  { labels, add_labels, remove_labels }: LabelChanges,
): Promise<void> {
  if (labels === undefined && add_labels === undefined && remove_labels === undefined) return
  const present = (await labelsOfIssues(tx, [issueId])).get(issueId) ?? []
  const removed = new Set(remove_labels)
  const wanted = [...(labels ?? present.map(({ name }) => name)), ...(add_labels ?? [])]
  const names = wanted.filter((name) => !removed.has(name))
  const mayCreate = may('manage_labels', caller)
  await setIssueLabels(tx, issueId, await findOrCreateLabels(tx, caller.project.id, names, { mayCreate }))
}

function checkEditor(caller: CallerInProject & { user: User }, row: IssueRow, params: EditIssue): void {
  if (params.updated_at !== undefined) checkOwner(caller)
  if (managesIssues(caller)) return
  const isOwn = row.author_id === caller.user.id && Object.keys(params).every((name) => FOR_AUTHORS.has(name))
  if (!isOwn) throw forbidden()
}

async function changesOf(
  tx: Transaction,
  { project, user }: CallerInProject & { user: User },
  before: IssueRow,
  params: EditIssue,
): Promise<Updateable<IssueTable>> {
  const title = params.title?.trim() ?? before.title
  const description = params.description === undefined ? before.description : params.description
  const isEdited = title !== before.title || description !== before.description
  return {
    ...(await metadata(tx, project, params)),
    title,
    description,
    ...(isEdited && { last_edited_at: Date.now(), last_edited_by_id: user.id }),
    ...(params.confidential === undefined ? {} : { confidential: params.confidential }),
    ...(params.issue_type === undefined ? {} : { issue_type: params.issue_type }),
    ...stateChange(before, user, params.state_event),
  }
}

/** An event that leads to the present state changes nothing. */
function stateChange(before: IssueRow, user: User, event: EditIssue['state_event']): Updateable<IssueTable> {
  const state = event === 'close' ? 'closed' : 'opened'
  if (event === undefined || state === before.state) return {}
  return state === 'closed' ? closed(user) : { state, closed_at: null, closed_by_id: null }
}

/** Throws 404 for an unknown issue. */
export async function deleteIssue(database: Database, caller: CallerInProject, iid: number): Promise<void> {
  const { id } = await inTransaction(database, (tx) => lockTheIssue(tx, caller, iid))
  await deleteDependents(database, 'issue', id)
  await inTransaction(database, async (tx) => deleteIssueRow(tx, await lockTheIssue(tx, caller, iid)))
}

export function checkTitle(title: string): void {
  if (title.trim() === '') throw invalidRecord({ title: ["can't be blank"] })
}

function checkOwner(caller: CallerInProject): void {
  if (!may('delete_issues', caller)) throw forbidden()
}
