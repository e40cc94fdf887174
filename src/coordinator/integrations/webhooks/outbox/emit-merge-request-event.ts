import type { Selectable } from 'kysely'

import type { LabelTable } from '../../../database/tables/labels.js'
import type { MergeRequestTable } from '../../../database/tables/merge-requests.js'
import type { Transaction } from '../../../database/transaction.js'
import { recordOnTarget, type TargetAction } from '../../activity-events/record-activity.js'
import { recordChanges } from '../../resource-event-log/record-changes.js'
import { hooksOfProject, systemHooks } from '../hook-store.js'
import { emitToStatusChecks } from './emit-to-status-checks.js'
import { storeEvents } from './outbox.js'

type MergeRequestRow = Selectable<MergeRequestTable>
type LabelRow = Selectable<LabelTable>

/** `approved` and `unapproved`: it now has all approvals or no longer has them; the others are of one user. */
export type MergeRequestAction =
  | 'open'
  | 'update'
  | 'close'
  | 'reopen'
  | 'merge'
  | 'approved'
  | 'unapproved'
  | 'approval'
  | 'unapproval'

/** A merge request at one time, with the IDs of its people and its labels by name. */
export interface MergeRequestSnapshot {
  mergeRequest: MergeRequestRow
  assignees: number[]
  reviewers: number[]
  labels: LabelRow[]
}

/** A change of a merge request. */
export interface MergeRequestFacts {
  after: MergeRequestSnapshot
  /** Absent for a new merge request. */
  before?: MergeRequestSnapshot
  action: MergeRequestAction
  userId: number
  /** Head of the source branch before the push that is the change. */
  oldrev?: string
  /** The status check whose service receives it. */
  statusCheckId?: number
}

/** Columns whose values payloads compare. */
export const COMPARED_COLUMNS = [
  ...(['title', 'description', 'draft', 'discussion_locked', 'milestone_id', 'target_branch'] as const),
  ...(['source_branch', 'squash', 'merge_status', 'merge_commit_sha', 'merge_error'] as const),
  ...(['merge_when_pipeline_succeeds', 'merge_user_id', 'time_estimate', 'total_time_spent'] as const),
  ...(['updated_at', 'updated_by_id', 'last_edited_at', 'last_edited_by_id', 'prepared_at'] as const),
]

/** Columns that change with every other one, or without anybody's doing. */
const INCIDENTAL = new Set<string>(['updated_at', 'updated_by_id', 'merge_status', 'prepared_at'])

/**
 * Emits a change of a merge request to the hooks of its target project, and to system hooks, when `tx` commits (API, K3). An update
 * that changes nothing and has no `oldrev` is not emitted. Actions other than updates are recorded as activity.
 * Records changes of labels, milestone and state as resource events.
 */
export async function emitMergeRequestEvent(tx: Transaction, facts: MergeRequestFacts): Promise<void> {
  const { after, before, action, oldrev } = facts
  if (action === 'update' && oldrev === undefined && before && !isChanged(before, after)) return
  const { id: merge_request_id, project_id: projectId } = after.mergeRequest
  await recordChanges(tx, { merge_request_id }, facts.userId, before && stateOf(before), stateOf(after))
  await recordMergeRequest(tx, facts)
  await emitToStatusChecks(tx, facts)
  const trigger = 'merge_requests_events'
  const listening = [...(await hooksOfProject(tx, projectId)), ...(await systemHooks(tx))]
  const hooks = listening.filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger, kind: 'merge_request', facts, hooks }])
}

/** Activity of those actions that are recorded. An approval is one, whether it completes them or not. */
const RECORDED: Partial<Record<MergeRequestAction, TargetAction>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approval: 'approved',
  approved: 'approved',
}

async function recordMergeRequest(
  tx: Transaction,
  { after, action, userId }: MergeRequestFacts,
): Promise<void> {
  const recorded = RECORDED[action]
  if (!recorded) return
  const { id: merge_request_id, project_id: projectId } = after.mergeRequest
  await recordOnTarget(tx, recorded, { projectId, userId, target: { merge_request_id } })
}

function stateOf({ mergeRequest: { state, milestone_id }, labels }: MergeRequestSnapshot) {
  return { state, milestone_id, labels }
}

function isChanged(before: MergeRequestSnapshot, after: MergeRequestSnapshot): boolean {
  const columns = COMPARED_COLUMNS.filter((column) => !INCIDENTAL.has(column))
  if (columns.some((column) => before.mergeRequest[column] !== after.mergeRequest[column])) return true
  if (before.mergeRequest.state !== after.mergeRequest.state) return true
  return peopleAndLabels(before) !== peopleAndLabels(after)
}

function peopleAndLabels({ assignees, reviewers, labels }: MergeRequestSnapshot): string {
  return JSON.stringify([assignees, reviewers, labels.map(({ id }) => id)])
}
