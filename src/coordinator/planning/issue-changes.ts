import type { Updateable } from 'kysely'

import type { User } from '../access/caller.js'
import type { IssueTable } from '../database/tables/issues.js'
import type { Transaction } from '../database/transaction.js'
import {
  emitIssueEvent,
  type IssueSnapshot,
  snapshotOf,
} from '../integrations/webhooks/outbox/emit-issue-event.js'
import { noticeAssignees, noticedIssue } from './notices/add-todos.js'
import { followText } from './notices/follow-text.js'
import { noticeIssueByMail } from './notices/mail-notices.js'
import { labelsOfIssues } from './stores/issue-label-store.js'
import { assigneesOf, type IssueRow } from './stores/issue-store.js'
import { finishTodosAbout } from './stores/todo-store.js'
import {
  assigneeNotes,
  labelNotes,
  milestoneNotes,
  timeNotes,
  titleNotes,
} from './system-notes/change-notes.js'
import { addSystemNotes, type SystemNote } from './system-notes/system-notes.js'

/** The columns of an issue that the user closes now. */
export function closed(user: User): Updateable<IssueTable> {
  return { state: 'closed', closed_at: Date.now(), closed_by_id: user.id }
}

/** The issue as it is now, for webhooks and to find out what a change has changed. */
export async function issueSnapshot(tx: Transaction, row: IssueRow): Promise<IssueSnapshot> {
  const labels = (await labelsOfIssues(tx, [row.id])).get(row.id) ?? []
  const assignees = (await assigneesOf(tx, [row.id])).get(row.id) ?? []
  return snapshotOf(row, assignees, labels)
}

/** Records what follows from the change of an issue: to-do items, system notes and webhook events. */
export async function recordIssueChange(
  tx: Transaction,
  user: User,
  before: IssueSnapshot,
  after: IssueSnapshot,
): Promise<void> {
  await updateTodos(tx, user, before, after)
  const { id, project_id: projectId } = after.issue
  const on = { owner: { column: 'issue_id', id }, projectId, userId: user.id } as const
  await addSystemNotes(tx, on, await notesOf(tx, before, after))
  const isSame = before.issue.state === after.issue.state
  const turned = after.issue.state === 'closed' ? 'close' : 'reopen'
  await noticeIssueByMail(tx, user, before, after)
  await emitIssueEvent(tx, { before, after, action: isSame ? 'update' : turned, userId: user.id })
}

async function updateTodos(
  tx: Transaction,
  user: User,
  before: IssueSnapshot,
  after: IssueSnapshot,
): Promise<void> {
  const target = noticedIssue(after.issue)
  if (after.issue.state === 'closed' && before.issue.state === 'opened') {
    await finishTodosAbout(tx, target)
    return
  }
  await noticeAssignees(tx, target, user, { before: before.assignees, after: after.assignees })
  const texts = { before: before.issue.description, after: after.issue.description }
  if (texts.before !== texts.after) await followText(tx, target, user, texts)
}

async function notesOf(
  tx: Transaction,
  { issue: was, ...before }: IssueSnapshot,
  { issue: is, ...after }: IssueSnapshot,
): Promise<SystemNote[]> {
  return [
    ...titleNotes(was, is),
    ...labelNotes(before.labels, after.labels),
    ...(await milestoneNotes(tx, was.milestone_id, is.milestone_id)),
    ...(await assigneeNotes(tx, before.assignees, after.assignees)),
    ...(was.due_date === is.due_date
      ? []
      : [noted('due_date', is.due_date ? `changed due date to ${is.due_date}` : 'removed due date')]),
    ...(was.weight === is.weight
      ? []
      : [noted('weight', is.weight === null ? 'removed the weight' : `set weight to **${is.weight}**`)]),
    ...(was.confidential === is.confidential
      ? []
      : [
          is.confidential
            ? noted('confidential', 'made the issue confidential')
            : noted('visible', 'made the issue visible to everyone'),
        ]),
    ...(Boolean(was.discussion_locked) === Boolean(is.discussion_locked)
      ? []
      : [
          is.discussion_locked
            ? noted('locked', 'locked the discussion in this issue')
            : noted('unlocked', 'unlocked the discussion in this issue'),
        ]),
    ...(was.issue_type === is.issue_type
      ? []
      : [noted('issue_type', `changed type from ${was.issue_type} to ${is.issue_type}`)]),
    ...timeNotes(was, is),
    ...(was.state === is.state
      ? []
      : [is.state === 'closed' ? noted('closed', 'closed') : noted('opened', 'reopened')]),
  ]
}

function noted(action: string, body: string): SystemNote {
  return { action, body }
}
