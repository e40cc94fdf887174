import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { changeAllowedRefs, type RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { RefsMovedError } from '../../../hosting/repositories/change/errors.js'
import { ApiError } from '../../../http/errors.js'
import { lockMergeRequest, updateMergeRequestRow } from '../../stores/merge-request-store.js'
import { type CarRow, type TrainRow, updateActiveCar } from '../../stores/merge-train-store.js'
import { mergeParamsOf } from '../merge-params.js'
import { completeMerges } from '../merge/mark-merged.js'
import { unlock } from '../merge/merge-now.js'
import type { TrainDeps } from './train-deps.js'
import { checkCar } from './why-it-leaves.js'

/** Why the target branch could not be moved: `moved` = it is elsewhere, or a car must not be merged any more. */
export type MergeProblem = { kind: 'moved' } | { kind: 'refused'; message: string }

interface Results {
  /** In order; the last one's result is the commit. */
  cars: readonly CarRow[]
  from: string
  commit: string
  pipelineId: number | null
}

/**
 * Moves the target branch to a commit whose pipeline has passed, which merges the cars in it. As for any other merge, a
 * crash at any moment leaves either nothing or what completes the merges later: all of them are locked in one transaction,
 * which checks each of them and the pipeline again, before the branch is moved. `merger`: who has added the last car.
 */
export async function mergeResults(
  deps: TrainDeps,
  train: Pick<TrainRow, 'project_id' | 'target_branch'>,
  merger: RefChanger,
  results: Results,
): Promise<MergeProblem | undefined> {
  const { pushes } = deps
  const isLocked = await inTransaction(pushes.database, (tx) => lockAll(tx, results, merger))
  if (!isLocked) return { kind: 'moved' }
  const ref = `refs/heads/${train.target_branch}`
  const { from: before, commit: after } = results
  try {
    await changeAllowedRefs(pushes, merger, [{ ref, before, after }])
  } catch (error) {
    const isOpen = await unlockAll(deps, results)
    if (isOpen) return problemOf(error)
  }
  const moved = { ref, after, userId: merger.user.id }
  // An error may have delayed the completion of the push.
  await inTransaction(pushes.database, (tx) => completeMerges(tx, train.project_id, moved))
  return undefined
}

function problemOf(error: unknown): MergeProblem {
  if (error instanceof RefsMovedError) return { kind: 'moved' }
  if (error instanceof ApiError) return { kind: 'refused', message: error.message }
  throw error
}

/** False if one of the merge requests must not be merged, or the pipeline has not passed: then nothing is locked. */
async function lockAll(
  tx: Transaction,
  { cars, from, commit, pipelineId }: Results,
  { project }: RefChanger,
): Promise<boolean> {
  if (!(await hasPassed(tx, pipelineId, project.allow_merge_on_skipped_pipeline))) return false
  const rows = []
  for (const car of cars) {
    const row = await lockMergeRequest(tx, car.merge_request_id)
    if (!row || (await checkCar(tx, car, row, from)).kind !== 'stays') return false
    rows.push({ row, car })
  }
  const now = Date.now()
  for (const { row, car } of rows) {
    const { merge_commit_sha, squash_commit_sha } = car
    const commits = {
      merge_commit_sha: merge_commit_sha ?? undefined,
      squash_commit_sha: squash_commit_sha ?? undefined,
    }
    await updateMergeRequestRow(tx, row, {
      state: 'locked',
      in_progress_merge_sha: commit,
      merge_params: JSON.stringify({ ...mergeParamsOf(row), ...commits }),
      merge_error: null,
      updated_at: now,
    })
    await updateActiveCar(tx, car.id, { pipeline_id: pipelineId })
  }
  return true
}

async function hasPassed(
  tx: Transaction,
  pipelineId: number | null,
  allowsSkipped: boolean,
): Promise<boolean> {
  if (pipelineId === null) return false
  const pipeline = await tx
    .selectFrom('pipeline')
    .select('status')
    .where('id', '=', pipelineId)
    .executeTakeFirst()
  return pipeline?.status === 'success' || (allowsSkipped && pipeline?.status === 'skipped')
}

/** Whether they are open again; false if the branch was moved, so that they are merged. */
async function unlockAll({ pushes }: TrainDeps, { cars, commit }: Results): Promise<boolean> {
  let isOpen = true
  for (const { merge_request_id: id } of cars) {
    const wasOpened = await unlock(pushes.database, id, { head: commit, reason: '', isOver: true })
    isOpen &&= wasOpened
  }
  return isOpen
}
