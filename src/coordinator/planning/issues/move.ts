import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import { isMemberOfProject, maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import { copyIssueNotes } from '../../hosting/note-store.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import { emitIssueEvent } from '../../integrations/webhooks/outbox/emit-issue-event.js'
import { type CallerInProject, lockTheIssue, managesIssues } from '../access/issue-access.js'
import { closed, issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { noticeAssignees, noticedIssue } from '../notices/add-todos.js'
import { noticeIssueByMail } from '../notices/mail-notices.js'
import { copyIssueAwards } from '../stores/award-emoji-store.js'
import { moveEpicOfIssue } from '../stores/epic-issue-store.js'
import { labelsOfIssues, setIssueLabels } from '../stores/issue-label-store.js'
import {
  assigneesOf,
  insertIssue,
  type IssueRow,
  setAssignees,
  updateIssueRow,
} from '../stores/issue-store.js'
import { findOrCreateLabels } from '../stores/label-store.js'
import { allowedAssignees } from './issues.js'

/**
 * Creates the issue in another project, with its text, its author and what else the project allows, and closes
 * the old one, which refers to the new one. Returns the new issue. Throws 404 for an unknown issue or project,
 * and 400 if the caller is not a reporter of both projects or if the issue was moved before.
 */
export async function moveIssue(
  database: Database,
  caller: CallerInProject & { user: User },
  iid: number,
  toProjectId: number,
): Promise<IssueRow> {
  const { project, user } = caller
  return inTransaction(database, async (tx) => {
    const before = await lockTheIssue(tx, caller, iid)
    const target = await targetOf(tx, user, toProjectId)
    if (!target) throw notFound('Project')
    if (target.project.id === project.id) throw refused('Cannot move issue to project it originates from!')
    const isAllowed = managesIssues(caller) && target.isAllowed && before.moved_to_id === null
    if (!isAllowed) throw refused('Cannot move issue due to insufficient permissions!')
    const was = await issueSnapshot(tx, before)
    const moved = await copyIssue(tx, before, target.project)
    await copyIssueNotes(tx, before.id, moved)
    await moveEpicOfIssue(tx, before.id, moved.id)
    const now = Date.now()
    const isOpen = before.state === 'opened'
    const after = await updateIssueRow(tx, before, {
      ...(isOpen ? closed(user) : {}),
      moved_to_id: moved.id,
      updated_by_id: user.id,
      updated_at: now,
    })
    const is = await issueSnapshot(tx, after)
    await recordIssueChange(tx, user, was, is)
    const created = await issueSnapshot(tx, moved)
    await noticeAssignees(tx, noticedIssue(moved), user, { before: [], after: created.assignees })
    await noticeIssueByMail(tx, user, undefined, created)
    await emitIssueEvent(tx, { after: created, action: 'open', userId: user.id })
    return moved
  })
}

/**
 * Creates a copy of an issue in its project or another one, by the caller, with its comments if that is wanted. Throws 404
 * for an unknown issue or project, and 400 if the caller is not a reporter of both projects.
 */
export async function cloneIssue(
  database: Database,
  caller: CallerInProject & { user: User },
  iid: number,
  { toProjectId, withNotes }: { toProjectId: number; withNotes: boolean },
): Promise<IssueRow> {
  const { user } = caller
  return inTransaction(database, async (tx) => {
    const original = await lockTheIssue(tx, caller, iid)
    const target = await targetOf(tx, user, toProjectId)
    if (!target) throw notFound('Project')
    if (!managesIssues(caller) || !target.isAllowed) {
      throw refused('Cannot clone issue due to insufficient permissions!')
    }
    const now = Date.now()
    const fresh = { state: 'opened', closed_at: null, closed_by_id: null, moved_to_id: null } as const
    const votes = { upvotes: 0, downvotes: 0 }
    const made = { author_id: user.id, created_at: now, updated_at: now }
    const copy = await copyIssue(tx, { ...original, ...fresh, ...votes, ...made }, target.project, {
      withAwards: false,
    })
    if (withNotes) await copyIssueNotes(tx, original.id, copy, { onlyComments: true })
    const created = await issueSnapshot(tx, copy)
    await noticeAssignees(tx, noticedIssue(copy), user, { before: [], after: created.assignees })
    await noticeIssueByMail(tx, user, undefined, created)
    await emitIssueEvent(tx, { after: created, action: 'open', userId: user.id })
    return copy
  })
}

/** The project to which the user moves an issue; undefined if it is hidden from the user. */
async function targetOf(tx: Transaction, user: User, id: number) {
  const row = await tx
    .selectFrom('project')
    .selectAll()
    .select(() => isMemberOfProject(user, ACCESS_LEVELS.reporter).as('is_reporter'))
    .where('id', '=', id)
    .where(() => maySeeProject(user))
    .executeTakeFirst()
  if (!row) return undefined
  const { is_reporter, ...project } = row
  const isUsable = project.issues_access_level !== 'disabled' && whyReadOnly(project) === undefined
  return { project, isAllowed: isUsable && (user.is_admin || Boolean(is_reporter)) }
}

async function copyIssue(
  tx: Transaction,
  before: IssueRow,
  target: Project,
  { withAwards = true }: { withAwards?: boolean } = {},
): Promise<IssueRow> {
  const { id: _, iid: __, relative_position: ___, milestone_id, ...values } = before
  const moved = await insertIssue(tx, {
    ...values,
    project_id: target.id,
    milestone_id: await sameMilestone(tx, milestone_id, target.id),
  })
  const assignee_ids = (await assigneesOf(tx, [before.id])).get(before.id) ?? []
  await setAssignees(tx, moved.id, (await allowedAssignees(tx, target, { assignee_ids })) ?? [])
  // Labels that the other project has under the same name.
  const names = ((await labelsOfIssues(tx, [before.id])).get(before.id) ?? []).map(({ name }) => name)
  await setIssueLabels(tx, moved.id, await findOrCreateLabels(tx, target.id, names, { mayCreate: false }))
  // The row has their numbers already.
  if (withAwards) await copyIssueAwards(tx, before.id, moved.id)
  return moved
}

/** The milestone of the other project or its groups with the same title. */
async function sameMilestone(tx: Transaction, id: number | null, projectId: number): Promise<number | null> {
  if (id === null) return null
  const { title } = await tx
    .selectFrom('milestone')
    .select('title')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const [same] = await milestonesForProject(tx, projectId, { titles: [title] })
  return same?.id ?? null
}

function refused(reason: string): ApiError {
  return apiError('issue_not_movable', { reason })
}
