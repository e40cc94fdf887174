import type { User } from '../access/caller.js'
import type { Transaction } from '../database/transaction.js'
import {
  emitMergeRequestEvent,
  type MergeRequestAction,
  type MergeRequestSnapshot,
} from '../integrations/webhooks/outbox/emit-merge-request-event.js'
import { noticeMergeRequestByMail } from './notices/mail-notices.js'
import { noticeMergeRequest } from './notices/notice-merge-request.js'
import { labelsOfMergeRequests } from './stores/merge-request-label-store.js'
import { assigneesOfMergeRequests, type MergeRequestRow, reviewersOf } from './stores/merge-request-store.js'
import { requestTask } from './stores/merge-request-task-store.js'
import { isForTrain, wakeTrain } from './stores/merge-train-store.js'
import { mergeRequestChangeNotes } from './system-notes/merge-request-change-notes.js'
import { addSystemNotes } from './system-notes/system-notes.js'

/** The merge request as it is now, for webhooks. */
export async function mergeRequestSnapshot(
  tx: Transaction,
  mergeRequest: MergeRequestRow,
): Promise<MergeRequestSnapshot> {
  const { id } = mergeRequest
  return {
    mergeRequest,
    assignees: (await assigneesOfMergeRequests(tx, [id])).get(id) ?? [],
    reviewers: ((await reviewersOf(tx, [id])).get(id) ?? []).map(({ user_id }) => user_id),
    labels: (await labelsOfMergeRequests(tx, [id])).get(id) ?? [],
  }
}

/**
 * Records what follows from the change of a merge request: to-do items, system notes and webhook events; `before` is its
 * snapshot from before the change. The action is that of the new state, and `update` in the same state, unless it is
 * given. `oldrev`: the head of the source branch before the push that is the change. `because`: why the change ends the
 * wait for the pipeline, as the end of a sentence.
 */
export async function emitMergeRequestChange(
  tx: Transaction,
  user: Pick<User, 'id'>,
  before: MergeRequestSnapshot,
  row: MergeRequestRow,
  {
    action,
    oldrev,
    because,
  }: { action?: MergeRequestAction; oldrev?: string; because?: string | undefined } = {},
): Promise<void> {
  const after = await mergeRequestSnapshot(tx, row)
  await noticeMergeRequest(tx, user, after, before)
  const owner = { column: 'merge_request_id', id: row.id } as const
  const notes = await mergeRequestChangeNotes(tx, before, after, { oldrev, because })
  await addSystemNotes(tx, { owner, projectId: row.project_id, userId: user.id }, notes)
  // What it waits for may be true now.
  if (row.merge_when_pipeline_succeeds && row.state === 'opened') {
    await requestTask(tx, row, 'merge', row.merge_user_id ?? row.author_id)
  }
  // It may leave its train, or not be able to be merged any more.
  const was = before.mergeRequest
  if (isForTrain(was)) await wakeTrain(tx, was.project_id, was.target_branch)
  await noticeMergeRequestByMail(tx, user, before, after, { action, oldrev })
  const { state } = before.mergeRequest
  if (row.state !== state) await requestStopOfEnvironments(tx, row)
  await emitMergeRequestEvent(tx, {
    before,
    after,
    action: action ?? (row.state === state ? 'update' : ACTIONS[row.state]),
    userId: user.id,
    ...(oldrev !== undefined && { oldrev }),
  })
}

/** Nobody's environments are stopped for an end of which the user is unknown, such as a push of a deleted account. */
async function requestStopOfEnvironments(tx: Transaction, row: MergeRequestRow): Promise<void> {
  const endedById = { merged: row.merged_by_id, closed: row.closed_by_id, opened: null, locked: null }[
    row.state
  ]
  if (endedById !== null) await requestTask(tx, row, 'stop_environments', endedById)
}

const ACTIONS = { opened: 'reopen', closed: 'close', merged: 'merge', locked: 'update' } as const
