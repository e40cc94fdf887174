import type { Transaction } from '../../database/transaction.js'
import type { MergeRequestSnapshot } from '../../integrations/webhooks/outbox/emit-merge-request-event.js'
import { isForTrain } from '../stores/merge-train-store.js'
import {
  assigneeNotes,
  labelNotes,
  milestoneNotes,
  reviewerNotes,
  timeNotes,
  titleNotes,
} from './change-notes.js'
import type { SystemNote } from './system-notes.js'

/**
 * The records of what a change of a merge request has changed. `oldrev`: the head before a push that is the change.
 * `because`: why it ends the wait for the pipeline.
 */
export async function mergeRequestChangeNotes(
  tx: Transaction,
  { mergeRequest: was, ...before }: MergeRequestSnapshot,
  { mergeRequest: is, ...after }: MergeRequestSnapshot,
  { oldrev, because }: { oldrev?: string | undefined; because?: string | undefined },
): Promise<SystemNote[]> {
  return [
    ...titleNotes(was, is),
    ...noted(was.draft !== is.draft, 'title', is.draft ? 'marked this merge request as **draft**' : READY),
    ...noted(
      was.target_branch !== is.target_branch,
      'branch',
      `changed target branch from \`${was.target_branch}\` to \`${is.target_branch}\``,
    ),
    ...labelNotes(before.labels, after.labels),
    ...(await milestoneNotes(tx, was.milestone_id, is.milestone_id)),
    ...(await assigneeNotes(tx, before.assignees, after.assignees)),
    ...(await reviewerNotes(tx, before.reviewers, after.reviewers)),
    ...noted(
      Boolean(was.discussion_locked) !== Boolean(is.discussion_locked),
      is.discussion_locked ? 'locked' : 'unlocked',
      `${is.discussion_locked ? 'locked' : 'unlocked'} the discussion in this merge request`,
    ),
    ...timeNotes(was, is),
    ...noted(oldrev !== undefined, 'commit', `pushed to the source branch: ${is.head_sha ?? ''}`),
    ...mergeNotes(was, is, because),
  ]
}

const READY = 'marked this merge request as **ready**'
const STATES = { opened: 'reopened', closed: 'closed', merged: 'merged', locked: 'locked' } as const

function mergeNotes(
  was: MergeRequestSnapshot['mergeRequest'],
  is: MergeRequestSnapshot['mergeRequest'],
  because: string | undefined,
): SystemNote[] {
  const isSame = was.state === is.state
  const waits = is.merge_when_pipeline_succeeds
  return [
    ...noted(
      was.merge_when_pipeline_succeeds !== waits && is.state !== 'merged',
      'merge',
      waits ? beginOfWait(is) : endOfWait(was, because),
    ),
    // The merge itself is no change: it leads to `merged`, or back.
    ...noted(!isSame && is.state !== 'locked', STATES[is.state], STATES[is.state]),
  ]
}

function beginOfWait(is: MergeRequestSnapshot['mergeRequest']): string {
  return isForTrain(is)
    ? 'enabled the merge by the merge train'
    : 'enabled the merge when the pipeline succeeds'
}

function endOfWait(was: MergeRequestSnapshot['mergeRequest'], because: string | undefined): string {
  const reason = because === undefined ? '' : ` because ${because}`
  if (isForTrain(was)) return `removed this merge request from the merge train${reason}`
  return because === undefined ? 'canceled the automatic merge' : `aborted the automatic merge${reason}`
}

function noted(isChanged: boolean, action: string, body: string): SystemNote[] {
  return isChanged ? [{ action, body }] : []
}
