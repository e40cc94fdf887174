import { apiErrorMessage } from '../../../../error-catalogue/api-errors.js'
import type { Project } from '../../../access/caller.js'
import { findPipelineAt } from '../../../ci/engine/merge-requests/head-pipelines.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { unresolvedAmong } from '../../../hosting/note-store.js'
import { changeAllowedRefs, type RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { RefsMovedError } from '../../../hosting/repositories/change/errors.js'
import { type ApiError, apiError, notFound, unauthorized } from '../../../http/errors.js'
import { giverNow } from '../../../intentions/giver.js'
import { changedTerm } from '../../../intentions/terms.js'
import { mayMergeInto } from '../../access/may-merge-into.js'
import { requestRefresh } from '../../stores/merge-request-refresh-store.js'
import {
  findMergeRequestById,
  lockMergeRequest,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../../stores/merge-request-store.js'
import { requestTask } from '../../stores/merge-request-task-store.js'
import { wakeTrain } from '../../stores/merge-train-store.js'
import { uncheckedAmong } from '../../stores/status-check-store.js'
import { addSystemNotes } from '../../system-notes/system-notes.js'
import { approvalStates } from '../approval-rules/approval-states.js'
import { isApproved } from '../approval-rules/rule-states.js'
import type { MergeOptions, MergeParams } from '../merge-params.js'
import { type MergeFacts, type MergeRefusal, mergeRefusal } from '../merge-refusal.js'
import { isSameWait, mergeTerms } from '../merge-terms.js'
import { findHeadsOwners, findRequiredOwners } from '../required-owners.js'
import { completeMerges } from './mark-merged.js'
import { type MergeDeps, type PreparedMerge, prepareMerge, sourceHead } from './prepare-merge.js'

/** Maximum number of attempts of one merge: each starts from the head to which others have moved the target. */
const MAX_ATTEMPTS = 3

/**
 * Merges a merge request. A crash at any moment leaves either nothing or what completes the merge later:
 *
 *     write the commits ──▶ state `locked` ──▶ record the push, move the target ──▶ state `merged`, effects
 *     (no ref, no row)      (unlocked later)   (completed by the record of the push)
 *
 * Throws 401 if the user may not merge into the branch, 405 if the state does not allow it, 422 if the branches
 * cannot be merged, and 409 if somebody else merges it now, an expected head is not the real one (API, F4), or the merge
 * request is not what it was: the source branch has moved, the target or the method was changed. The transaction that
 * locks it decides about all of this, for the head whose commits were written.
 */
export async function mergeNow(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
): Promise<MergeRequestRow> {
  const { database } = deps.pushes
  const head = await headToMerge(deps, merger, row)
  await findHeadsOwners(deps.pushes, row, head)
  await checkState(database, merger, row, { source: head })
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepareMerge(deps, merger, row, options)
    if ((await sourceHead(deps.pushes, row)) !== prepared.source) throw await refuseBehind(database, row)
    await findRequiredOwners(deps.pushes, row, prepared)
    await lock(database, merger, row, prepared, options)
    const problem = await moveTarget(deps, merger, row, prepared)
    if (problem === undefined) return await mergedRow(database, merger, row, prepared)
    if (!(problem instanceof RefsMovedError)) throw problem
    if (attempt === MAX_ATTEMPTS) {
      throw apiError('target_moved', {}, { cause: problem })
    }
  }
}

/** As `sourceHead`. Throws 401 if the user may not merge into the target branch. */
export async function headToMerge(
  { pushes }: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
): Promise<string | undefined> {
  if (!(await mayMergeInto(pushes.database, merger, row.target_branch))) throw unauthorized()
  return sourceHead(pushes, row)
}

/** Throws 405, or 409 if it is being merged now. */
async function checkState(
  database: Database,
  { project }: Pick<RefChanger, 'project'>,
  row: MergeRequestRow,
  heads: HeadsToMerge,
): Promise<void> {
  const refusal = mergeRefusal(await mergeFacts(database, project, row, heads))
  if (refusal !== undefined) throw refused(refusal)
}

/** The error of an operation that the state of the merge request does not allow (API, F4). */
export function refused(refusal: MergeRefusal): ApiError {
  if (refusal === 'locked') return apiError('merge_request_locked')
  return apiError('merge_not_allowed')
}

interface HeadsToMerge {
  /** Undefined = the source branch is missing. */
  source: string | undefined
  /** Head of the target branch from which the merge starts, once that is known. */
  target?: string
}

/** What decides about a merge of these heads. */
export async function mergeFacts(
  database: Database,
  project: Project,
  row: MergeRequestRow,
  { source, target }: HeadsToMerge,
): Promise<MergeFacts> {
  const pipeline = source === undefined ? undefined : await findPipelineAt(database, row, source)
  const ofHead = { row: { ...row, head_sha: source ?? null }, project }
  const approvals = await approvalStates(database, [ofHead], { targetSha: target })
  const mustPass = project.only_allow_merge_if_all_status_checks_passed
  return {
    row,
    project,
    pipeline: pipeline?.status,
    hasUnresolvedDiscussions: (await unresolvedAmong(database, [row.id])).has(row.id),
    isUnapproved: !isApproved(approvals.get(row.id) ?? []),
    isUnchecked: mustPass && (await uncheckedAmong(database, [ofHead.row])).has(row.id),
  }
}

/** Whether the merge request does not know yet that its source branch has moved to this head. */
export function isBehind({ head_sha }: Pick<MergeRequestRow, 'head_sha'>, head: string): boolean {
  return head_sha !== head
}

/** Asks for the comparison that is missing, and returns a 409. */
export async function refuseBehind(database: Database, row: MergeRequestRow): Promise<ApiError> {
  await inTransaction(database, (tx) => requestRefresh(tx, [row], null))
  return apiError('source_moved')
}

/**
 * Locks the merge request for the merge that was prepared, if everything allows it at this moment. `seen`: as it was
 * read; the merge that waits for a pipeline must still be that one. Throws as `mergeNow`.
 */
async function lock(
  database: Database,
  merger: RefChanger,
  seen: MergeRequestRow,
  prepared: PreparedMerge,
  options: MergeOptions,
): Promise<void> {
  const { head, source, target, mergeCommit, squashCommit } = prepared
  const params: MergeParams = { ...options, merge_commit_sha: mergeCommit, squash_commit_sha: squashCommit }
  const isLocked = await inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, seen.id)
    if (!row) throw notFound()
    const giver = await giverNow(tx, { userId: merger.user.id, projectId: row.project_id })
    // A token may give less than its user has.
    const accessLevel = Math.min(merger.accessLevel, giver?.accessLevel ?? 0)
    if (!giver || !(await mayMergeInto(tx, { ...giver, accessLevel }, row.target_branch)))
      throw unauthorized()
    if (row.target_branch !== seen.target_branch) throw apiError('target_changed')
    if (changedTerm(prepared.terms, mergeTerms(row, giver.project, options)))
      throw apiError('merge_method_changed')
    if (isBehind(row, source)) return false
    await checkState(tx, giver, row, { source, target })
    const isWaiting = options.given_for !== undefined
    if (isWaiting && !isSameWait(row, seen)) throw refused('not_open')
    await endOtherWait(tx, merger, row, isWaiting)
    await updateMergeRequestRow(tx, row, {
      state: 'locked',
      merge_when_pipeline_succeeds: isWaiting,
      in_progress_merge_sha: head,
      merge_user_id: merger.user.id,
      merge_params: JSON.stringify(params),
      merge_error: null,
      updated_at: Date.now(),
    })
    return true
  })
  if (!isLocked) throw await refuseBehind(database, seen)
}

/** A merge that a user makes now replaces one that waits, which has been asked for with other options. */
async function endOtherWait(
  tx: Transaction,
  { user }: Pick<RefChanger, 'user'>,
  { id, project_id, merge_when_pipeline_succeeds }: MergeRequestRow,
  isWaiting: boolean,
): Promise<void> {
  if (isWaiting || !merge_when_pipeline_succeeds) return
  const about = { owner: { column: 'merge_request_id', id }, projectId: project_id, userId: user.id } as const
  const body = 'aborted the automatic merge because it was merged before'
  await addSystemNotes(tx, about, [{ action: 'merge', body }])
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
    ? apiErrorMessage('target_moved')
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
    // Locked merge requests are not compared with branches that move, and their merge trains wait.
    await requestRefresh(tx, [row], null)
    await wakeTrain(tx, row.project_id, row.target_branch)
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
