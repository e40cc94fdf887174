import { branchOrTag } from '../../../../git/names.js'
import type { Transaction } from '../../../database/transaction.js'
import { findUser } from '../../../hosting/repositories/store.js'
import { closeAllowed } from '../../closing/closing-issues.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../../merge-request-changes.js'
import { issuesOfMergeRequest } from '../../stores/merge-request-issue-store.js'
import {
  lockMergeRequest,
  type MergeRequestRow,
  mergingInto,
  updateMergeRequestRow,
} from '../../stores/merge-request-store.js'
import { requestTask } from '../../stores/merge-request-task-store.js'
import { mergeParamsOf, removersOf } from '../merge-params.js'

/**
 * Completes the merges whose commit is the new head of a branch. It runs in the transaction that completes the
 * move of the branch, so that a merge has all of its effects or none, also after a crash.
 */
export async function completeMerges(
  tx: Transaction,
  projectId: number,
  { ref, after, userId }: { ref: string; after: string; userId: number },
): Promise<void> {
  const target = branchOrTag(ref)
  if (target?.kind !== 'branch') return
  for (const { id } of await mergingInto(tx, projectId, target.name, after)) {
    const row = await lockMergeRequest(tx, id)
    if (row && row.state !== 'merged' && row.in_progress_merge_sha === after) {
      await markMerged(tx, row, userId)
    }
  }
}

/**
 * Marks a merge request that `tx` has locked as merged now, with all effects. `userId`: the user who merges it, if
 * the one who has started the merge no longer exists.
 */
export async function markMerged(
  tx: Transaction,
  before: MergeRequestRow,
  userId: number,
): Promise<MergeRequestRow> {
  const was = await mergeRequestSnapshot(tx, before)
  const mergedBy = before.merge_user_id ?? userId
  const { merge_commit_sha = null, squash_commit_sha = null, ...options } = mergeParamsOf(before)
  const now = Date.now()
  const row = await updateMergeRequestRow(tx, before, {
    state: 'merged',
    merged_at: now,
    merged_by_id: mergedBy,
    merge_commit_sha,
    squash_commit_sha,
    merge_params: JSON.stringify(options),
    merge_status: 'can_be_merged',
    merge_error: null,
    in_progress_merge_sha: null,
    merge_when_pipeline_succeeds: false,
    closed_at: null,
    closed_by_id: null,
    updated_at: now,
  })
  await emitMergeRequestChange(tx, { id: mergedBy }, was, row)
  await closeNamedIssues(tx, row, mergedBy)
  const [by, ...others] = removersOf(row, before.merge_user_id)
  if (by !== undefined) {
    await requestTask(tx, row, 'delete_source_branch', by, { other_user_ids: others })
  }
  return row
}

/** Closes the issues that it names as closed, as far as the user who merges may close them. */
async function closeNamedIssues(tx: Transaction, { id }: MergeRequestRow, userId: number): Promise<void> {
  const issues = (await issuesOfMergeRequest(tx, id)).filter(({ closes }) => closes)
  const user = issues.length === 0 ? undefined : await findUser(tx, userId)
  if (!user) return
  await closeAllowed(
    tx,
    user,
    issues.map((issue) => issue.id),
  )
}
