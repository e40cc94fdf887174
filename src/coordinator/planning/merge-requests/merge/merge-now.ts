import { findPipelineAt } from '../../../ci/engine/merge-requests/head-pipelines.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { requestRefresh } from '../../../hosting/merge-request-refresh-store.js'
import {
  findMergeRequestById,
  lockMergeRequest,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../../../hosting/merge-request-store.js'
import { unresolvedAmong } from '../../../hosting/note-store.js'
import { changeAllowedRefs, type RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { RefsMovedError } from '../../../hosting/repositories/change/errors.js'
import { ApiError, conflict, notFound, unauthorized } from '../../../http/errors.js'
import { mayMergeInto } from '../../may-merge-into.js'
import { requestTask } from '../../merge-request-task-store.js'
import { type MergeFacts, type MergeRefusal, mergeRefusal } from '../merge-refusal.js'
import { completeMerges } from './mark-merged.js'
import type { MergeOptions, MergeParams } from './merge-params.js'
import { type MergeDeps, type PreparedMerge, prepareMerge, sourceHead } from './prepare-merge.js'
import { countApprovals } from './store.js'

/** Maximum number of attempts of one merge: each starts from the head to which others have moved the target. */
const MAX_ATTEMPTS = 3

/**
 * Merges a merge request. A crash at any moment leaves either nothing or what completes the merge later:
 *
 *     write the commits ──▶ state `locked` ──▶ record the push, move the target ──▶ state `merged`, effects
 *     (no ref, no row)      (unlocked later)   (completed by the record of the push)
 *
 * Throws 401 if the user may not merge into the branch, 405 if the state does not allow it, 422 if the branches
 * cannot be merged, and 409 if somebody else merges it now or an expected head is not the real one (API, F4).
 */
export async function mergeNow(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
): Promise<MergeRequestRow> {
  await checkMayMerge(deps, merger, row)
  await checkState(deps, merger, row)
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepareMerge(deps, merger, row, options)
    await lock(deps.pushes.database, merger, row, prepared, options)
    const problem = await moveTarget(deps, merger, row, prepared)
    if (problem === undefined) return await mergedRow(deps.pushes.database, merger, row, prepared)
    if (!(problem instanceof RefsMovedError)) throw problem
    if (attempt === MAX_ATTEMPTS) {
      throw new ApiError(409, { message: TARGET_MOVED }, {}, { cause: problem })
    }
  }
}

const TARGET_MOVED = 'Merge failed: others have moved the target branch in the meantime. Please try again.'

/** Throws 401 if the user may not merge into the target branch. */
export async function checkMayMerge(
  { pushes }: MergeDeps,
  merger: RefChanger,
  { target_branch }: MergeRequestRow,
): Promise<void> {
  if (!(await mayMergeInto(pushes.database, merger, target_branch))) throw unauthorized()
}

/** Throws 405, or 409 if it is being merged now. */
async function checkState(deps: MergeDeps, merger: RefChanger, row: MergeRequestRow): Promise<void> {
  const refusal = mergeRefusal(await mergeFacts(deps, merger, row))
  if (refusal !== undefined) throw refused(refusal)
}

/** The error of an operation that the state of the merge request does not allow (API, F4). */
export function refused(refusal: MergeRefusal): ApiError {
  if (refusal === 'locked') return conflict('The merge request is being merged by another request')
  return new ApiError(405, { message: '405 Method Not Allowed' })
}

export async function mergeFacts(
  { pushes }: MergeDeps,
  { project }: Pick<RefChanger, 'project'>,
  row: MergeRequestRow,
): Promise<MergeFacts> {
  const { database } = pushes
  const head = await sourceHead(pushes, row)
  const pipeline = head === undefined ? undefined : await findPipelineAt(database, row, head)
  const approvals = await countApprovals(database, row.id)
  const hasUnresolvedDiscussions = (await unresolvedAmong(database, [row.id])).has(row.id)
  return { row, project, pipeline: pipeline?.status, hasUnresolvedDiscussions, approvals }
}

/** Throws 405 or 409 if its state has changed since it was read. */
async function lock(
  database: Database,
  { user }: RefChanger,
  { id }: MergeRequestRow,
  { head, mergeCommit, squashCommit }: PreparedMerge,
  options: MergeOptions,
): Promise<void> {
  const params: MergeParams = { ...options, merge_commit_sha: mergeCommit, squash_commit_sha: squashCommit }
  await inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, id)
    if (!row) throw notFound()
    if (row.state === 'locked') throw refused('locked')
    if (row.state !== 'opened') throw refused('not_open')
    if (row.draft) throw refused('draft_status')
    await updateMergeRequestRow(tx, row, {
      state: 'locked',
      in_progress_merge_sha: head,
      merge_user_id: user.id,
      merge_params: JSON.stringify(params),
      merge_error: null,
      updated_at: Date.now(),
    })
  })
}

/** Returns the error that has kept the branch from moving; undefined if it has moved. */
async function moveTarget(
  { pushes }: MergeDeps,
  merger: RefChanger,
  { id, target_branch }: MergeRequestRow,
  { target, head }: PreparedMerge,
): Promise<Error | undefined> {
  const change = { ref: `refs/heads/${target_branch}`, before: target, after: head }
  try {
    await changeAllowedRefs(pushes, merger, [change])
    return undefined
  } catch (error) {
    // An error after the move was completed as one: then the row is not locked any more.
    const isOpen = await unlock(pushes.database, id, { head, reason: reasonOf(error), isOver: true })
    if (!isOpen) return undefined
    return error instanceof Error
      ? error
      : new Error('The target branch could not be moved', { cause: error })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof RefsMovedError
    ? TARGET_MOVED
    : 'Merge failed: the target branch could not be moved.'
}

/**
 * Reopens a merge request that the merge to `head` has locked; false if it is merged. `isOver`: the branch will not
 * move any more. One that waits for its pipeline goes on waiting, and its merge is requested again: a task that was
 * performed while it was locked has done nothing.
 */
export async function unlock(
  database: Database,
  id: number,
  { head, reason, isOver }: { head: string | null; reason: string; isOver: boolean },
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, id)
    if (row?.state === 'merged') return false
    if (row?.state !== 'locked' || row.in_progress_merge_sha !== head) return true
    const isWaiting = row.merge_when_pipeline_succeeds
    await updateMergeRequestRow(tx, row, {
      state: 'opened',
      merge_error: isWaiting ? null : reason,
      updated_at: Date.now(),
      ...(isOver && { in_progress_merge_sha: null }),
      ...(isOver && !isWaiting && { merge_params: null, merge_user_id: null }),
    })
    if (isWaiting && !isOver) await requestTask(tx, row, 'merge', row.merge_user_id ?? row.author_id)
    // Locked merge requests are not compared with branches that move.
    await requestRefresh(tx, [row], null)
    return true
  })
}

/** Completes the merge here if an error has delayed the completion of the push, and reads the result. */
async function mergedRow(
  database: Database,
  { user }: RefChanger,
  { id, project_id, target_branch }: MergeRequestRow,
  { head }: PreparedMerge,
): Promise<MergeRequestRow> {
  const moved = { ref: `refs/heads/${target_branch}`, after: head, userId: user.id }
  await inTransaction(database, (tx) => completeMerges(tx, project_id, moved))
  const row = await findMergeRequestById(database, id)
  if (!row) throw notFound()
  return row
}
