import type { Selectable } from 'kysely'

import type { IssueTable } from '../../../database/tables/issues.js'
import type { LabelTable } from '../../../database/tables/labels.js'
import type { Transaction } from '../../../database/transaction.js'
import { recordOnTarget } from '../../activity-events/record-activity.js'
import { recordChanges } from '../../resource-event-log/record-changes.js'
import { hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

type IssueRow = Selectable<IssueTable>
type LabelRow = Selectable<LabelTable>

/** The columns that payloads show. */
type IssueState = Omit<IssueRow, 'user_agent' | 'ip_address' | 'upvotes' | 'downvotes'>

type IssueAction = 'open' | 'update' | 'close' | 'reopen'

/** An issue at one time, with the IDs of its assignees and its labels by name. */
export interface IssueSnapshot {
  issue: IssueState
  assignees: number[]
  labels: LabelRow[]
}

/** A change of an issue. */
export interface IssueFacts {
  after: IssueSnapshot
  /** Absent for a new issue. */
  before?: IssueSnapshot
  action: IssueAction
  userId: number
}

/** Columns whose values payloads compare. */
export const COMPARED = [
  ...(['title', 'description', 'confidential', 'discussion_locked', 'due_date', 'milestone_id'] as const),
  ...(['weight', 'closed_at', 'time_estimate', 'total_time_spent', 'moved_to_id', 'issue_type'] as const),
  ...(['relative_position', 'updated_at', 'updated_by_id', 'last_edited_at', 'last_edited_by_id'] as const),
]

/** Columns that change with every other one. */
const INCIDENTAL = new Set<string>(['updated_at', 'updated_by_id'])

/**
 * Emits a change of an issue to the hooks of its project when `tx` commits (API, K3): to those for confidential
 * issues if it is one now. Records it as activity, unless it is an update. A change that changes nothing is not emitted. Records
 * changes of labels, milestone and state as resource events.
 */
export async function emitIssueEvent(tx: Transaction, facts: IssueFacts): Promise<void> {
  const { after, before } = facts
  if (before && !isChanged(before, after)) return
  const { id: issue_id, project_id: projectId, confidential } = after.issue
  await recordChanges(tx, { issue_id }, facts.userId, before && stateOf(before), stateOf(after))
  await recordIssue(tx, facts)
  const trigger = confidential ? 'confidential_issues_events' : 'issues_events'
  const hooks = (await hooksOfProject(tx, projectId)).filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger, kind: 'issue', facts, hooks }])
}

const RECORDED = { open: 'created', close: 'closed', reopen: 'reopened', update: undefined } as const

async function recordIssue(tx: Transaction, { after, action, userId }: IssueFacts): Promise<void> {
  const recorded = RECORDED[action]
  if (!recorded) return
  const { id: issue_id, project_id: projectId } = after.issue
  await recordOnTarget(tx, recorded, { projectId, userId, target: { issue_id } })
}

function stateOf({ issue: { state, milestone_id }, labels }: IssueSnapshot) {
  return { state, milestone_id, labels }
}

function isChanged(before: IssueSnapshot, after: IssueSnapshot): boolean {
  const columns = COMPARED.filter((column) => !INCIDENTAL.has(column))
  if (columns.some((column) => before.issue[column] !== after.issue[column])) return true
  if (before.issue.state !== after.issue.state) return true
  return before.assignees.join() !== after.assignees.join() || labelIds(before) !== labelIds(after)
}

/** The labels of an issue as a text, to compare them. */
export function labelIds({ labels }: IssueSnapshot): string {
  return labels.map(({ id }) => id).join()
}

/** The fields of an issue that payloads need; `assignees` are IDs. */
export function snapshotOf(
  { user_agent: _, ip_address: __, upvotes: ___, downvotes: ____, ...issue }: IssueRow,
  assignees: readonly number[],
  labels: readonly LabelRow[],
): IssueSnapshot {
  return { issue, assignees: [...assignees], labels: [...labels] }
}
