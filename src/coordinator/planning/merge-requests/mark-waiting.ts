import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import { apiError, notFound, unauthorized } from '../../http/errors.js'
import { giverNow } from '../../intentions/giver.js'
import { mayMergeInto } from '../access/may-merge-into.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import {
  lockMergeRequest,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../stores/merge-request-store.js'
import { leaveTrain } from '../stores/merge-train-store.js'
import type { MergeOptions } from './merge-params.js'
import { mergeTerms } from './merge-terms.js'

/** The options of the merge: `sha` is the head that is merged; another one ends the wait. */
export type WaitOptions = MergeOptions & { sha: string }

/**
 * Lets a merge request wait to be merged for the user when its pipeline has succeeded; `seen` is the one that the user
 * wants to be merged. Throws 404 for an unknown one, 401 if the user may not merge into its target branch, 405 for one
 * that is closed or merged, and 409 while it is being merged and if its target was changed.
 */
export async function markWaiting(
  tx: Transaction,
  user: User,
  seen: Pick<MergeRequestRow, 'id' | 'target_branch'>,
  options: WaitOptions,
): Promise<MergeRequestRow> {
  const before = await lockMergeRequest(tx, seen.id)
  if (!before) throw notFound()
  if (before.state === 'locked') throw apiError('merge_request_locked')
  if (before.state !== 'opened') throw apiError('merge_not_allowed')
  if (before.target_branch !== seen.target_branch) throw apiError('target_changed')
  const giver = await giverNow(tx, { userId: user.id, projectId: before.project_id })
  if (!giver || !(await mayMergeInto(tx, giver, before.target_branch))) throw unauthorized()
  const params = {
    ...options,
    given_for: mergeTerms(before, giver.project, options),
    ...(giver.project.merge_trains_enabled && { auto_merge_strategy: 'merge_train' }),
  }
  const text = JSON.stringify(params)
  // In another way than before: its result in the merge train is that of the old one.
  if (before.merge_params !== text || before.merge_user_id !== user.id) await leaveTrain(tx, before.id)
  const was = await mergeRequestSnapshot(tx, before)
  const row = await updateMergeRequestRow(tx, before, {
    merge_when_pipeline_succeeds: true,
    merge_user_id: user.id,
    merge_params: text,
    merge_error: null,
    updated_at: Date.now(),
  })
  // Requests the merge, because the pipeline may have ended already.
  await emitMergeRequestChange(tx, user, was, row)
  return row
}
