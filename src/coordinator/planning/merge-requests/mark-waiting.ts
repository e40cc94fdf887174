import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import {
  lockMergeRequest,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../../hosting/merge-request-store.js'
import { ApiError, conflict, notFound } from '../../http/errors.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'

/** The options of the merge: `sha` is the head that is merged; another one ends the wait. */
export type WaitOptions = Record<string, unknown> & { sha: string }

/**
 * Lets a merge request wait to be merged for the user when its pipeline has succeeded. Throws 404 for an unknown one, 405
 * for one that is closed or merged, and 409 while it is being merged.
 */
export async function markWaiting(
  tx: Transaction,
  user: User,
  id: number,
  options: WaitOptions,
): Promise<MergeRequestRow> {
  const before = await lockMergeRequest(tx, id)
  if (!before) throw notFound()
  if (before.state === 'locked') throw conflict('The merge request is being merged by another request')
  if (before.state !== 'opened') throw new ApiError(405, { message: '405 Method Not Allowed' })
  const was = await mergeRequestSnapshot(tx, before)
  const row = await updateMergeRequestRow(tx, before, {
    merge_when_pipeline_succeeds: true,
    merge_user_id: user.id,
    merge_params: JSON.stringify(options),
    merge_error: null,
    updated_at: Date.now(),
  })
  // Requests the merge, because the pipeline may have ended already.
  await emitMergeRequestChange(tx, user, was, row)
  return row
}
