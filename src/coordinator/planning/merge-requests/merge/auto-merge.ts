import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { apiError } from '../../../http/errors.js'
import { lockTheMergeRequest } from '../../access/merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../../merge-request-changes.js'
import { type MergeRequestRow, updateMergeRequestRow } from '../../stores/merge-request-store.js'
import { addToTrain } from '../board-train.js'
import { markWaiting } from '../mark-waiting.js'
import type { MergeOptions } from '../merge-params.js'
import { isActive, mergeRefusal } from '../merge-refusal.js'
import { ENDED_WAIT } from '../merge-terms.js'
import { findHeadsOwners } from '../required-owners.js'
import { headToMerge, isBehind, mergeFacts, mergeNow, refuseBehind, refused } from './merge-now.js'
import { cannotBeMerged, type MergeDeps, otherHead } from './prepare-merge.js'

/**
 * Merges a merge request when its head pipeline has succeeded: now, unless that pipeline is still running. In a project
 * with merge trains, it is added to the train instead. Throws as `mergeNow`.
 */
export async function mergeAfterPipeline(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
): Promise<MergeRequestRow> {
  const { database } = deps.pushes
  const head = await headToMerge(deps, merger, row)
  if (head === undefined) throw cannotBeMerged()
  await findHeadsOwners(deps.pushes, row, head)
  const facts = await mergeFacts(database, merger.project, row, { source: head })
  const waits = isActive(facts.pipeline)
  if (!waits && !merger.project.merge_trains_enabled) return mergeNow(deps, merger, row, options)
  const refusal = mergeRefusal(waits ? { ...facts, pipeline: 'success' } : facts)
  if (refusal !== undefined) throw refused(refusal)
  if (options.sha !== undefined && options.sha !== head) throw otherHead(head)
  if (isBehind(row, head)) throw await refuseBehind(database, row)
  return inTransaction(database, async (tx) => {
    const waiting = await markWaiting(tx, merger.user, row, { ...options, sha: head })
    if (!waits) await addToTrain(tx, waiting)
    return waiting
  })
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
    if (!row.merge_when_pipeline_succeeds) throw apiError('auto_merge_not_set')
    return endWait(tx, user, row, null)
  })
}

/**
 * Ends the wait of a merge request that `tx` has locked; `reason` becomes its `merge_error`. `because`: what has ended it,
 * as the end of a sentence; undefined = the user.
 */
export async function endWait(
  tx: Transaction,
  user: Pick<User, 'id'>,
  before: MergeRequestRow,
  reason: string | null,
  because?: string,
): Promise<MergeRequestRow> {
  const was = await mergeRequestSnapshot(tx, before)
  const row = await updateMergeRequestRow(tx, before, {
    ...ENDED_WAIT,
    merge_error: reason,
    updated_at: Date.now(),
  })
  await emitMergeRequestChange(tx, user, was, row, { because })
  return row
}
