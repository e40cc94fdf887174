import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { lockMergeRequest, type MergeRequestRow } from '../stores/merge-request-store.js'
import { addCar, isForTrain } from '../stores/merge-train-store.js'
import { addSystemNotes } from '../system-notes/system-notes.js'
import { mergeParamsOf } from './merge-params.js'
import { isSameWait } from './merge-terms.js'

/** Adds a merge request to the merge train of its target branch, if it still waits for that. `seen`: when it was ready. */
export async function boardTrain(database: Database, seen: MergeRequestRow): Promise<void> {
  await inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, seen.id)
    if (row?.state === 'opened' && isSameWait(row, seen)) await addToTrain(tx, row)
  })
}

/** Adds a merge request that `tx` has locked, and that waits for the train; nothing happens if it is in it. */
export async function addToTrain(tx: Transaction, row: MergeRequestRow): Promise<void> {
  const { merge_user_id } = row
  const { sha } = mergeParamsOf(row)
  if (!isForTrain(row) || sha === undefined || merge_user_id === null) return
  const position = await addCar(tx, { ...row, head_sha: sha }, merge_user_id)
  if (position === undefined) return
  const owner = { column: 'merge_request_id', id: row.id } as const
  const body =
    position === 1
      ? 'started a merge train'
      : `added this merge request to the merge train at position ${position}`
  await addSystemNotes(tx, { owner, projectId: row.project_id, userId: merge_user_id }, [
    { action: 'merge', body },
  ])
}
