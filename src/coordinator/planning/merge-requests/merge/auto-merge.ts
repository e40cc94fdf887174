import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { type MergeRequestRow, updateMergeRequestRow } from '../../../hosting/merge-request-store.js'
import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { ApiError } from '../../../http/errors.js'
import { lockTheMergeRequest } from '../../merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../../merge-request-changes.js'
import { markWaiting } from '../mark-waiting.js'
import { isActive, mergeRefusal } from '../merge-refusal.js'
import { checkMayMerge, mergeFacts, mergeNow, refused } from './merge-now.js'
import type { MergeOptions } from './merge-params.js'
import { cannotBeMerged, type MergeDeps, otherHead, sourceHead } from './prepare-merge.js'

/**
 * Merges a merge request when its head pipeline has succeeded: now, unless that pipeline is still running. Throws as
 * `mergeNow`.
 */
export async function mergeAfterPipeline(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
): Promise<MergeRequestRow> {
  await checkMayMerge(deps, merger, row)
  const facts = await mergeFacts(deps, merger, row)
  if (!isActive(facts.pipeline)) return mergeNow(deps, merger, row, options)
  const refusal = mergeRefusal({ ...facts, pipeline: 'success' })
  if (refusal !== undefined) throw refused(refusal)
  const head = await sourceHead(deps.pushes, row)
  if (head === undefined) throw cannotBeMerged()
  if (options.sha !== undefined && options.sha !== head) throw otherHead(head)
  return inTransaction(deps.pushes.database, (tx) =>
    markWaiting(tx, merger.user, row.id, { ...options, sha: head }),
  )
}

/** Throws 404 for an unknown merge request, 405 for one that is closed or merged, and 406 for one that does not wait. */
export function cancelAutoMerge(
  database: Database,
  { project, user }: Pick<RefChanger, 'project' | 'user'>,
  iid: number,
): Promise<MergeRequestRow> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, { project }, iid)
    if (row.state !== 'opened') throw refused(row.state === 'locked' ? 'locked' : 'not_open')
    if (!row.merge_when_pipeline_succeeds) throw new ApiError(406, { message: '406 Not Acceptable' })
    return endWait(tx, user, row, null)
  })
}

/** Ends the wait of a merge request that `tx` has locked; `reason` becomes its `merge_error`. */
export async function endWait(
  tx: Transaction,
  user: Pick<User, 'id'>,
  before: MergeRequestRow,
  reason: string | null,
): Promise<MergeRequestRow> {
  const was = await mergeRequestSnapshot(tx, before)
  const row = await updateMergeRequestRow(tx, before, {
    merge_when_pipeline_succeeds: false,
    merge_user_id: null,
    merge_params: null,
    merge_error: reason,
    updated_at: Date.now(),
  })
  await emitMergeRequestChange(tx, user, was, row)
  return row
}
