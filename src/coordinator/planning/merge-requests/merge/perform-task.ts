import { ZERO_ID } from '../../../../git/names.js'
import { inTransaction } from '../../../database/transaction.js'
import { changeRefs, type RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { RefsMovedError, RefsRefusedError } from '../../../hosting/repositories/change/errors.js'
import { rulesOf } from '../../../hosting/repositories/push/ref-rules.js'
import { listProtectedRefs } from '../../../hosting/repositories/store.js'
import { ApiError } from '../../../http/errors.js'
import { pusherToSource } from '../../access/pusher-to-source.js'
import {
  findMergeRequestById,
  lockMergeRequest,
  type MergeRequestRow,
} from '../../stores/merge-request-store.js'
import type { TaskRow } from '../../stores/merge-request-task-store.js'
import { isForTrain } from '../../stores/merge-train-store.js'
import { boardTrain } from '../board-train.js'
import { mergeParamsOf } from '../merge-params.js'
import { isActive, mergeRefusal } from '../merge-refusal.js'
import { changedSinceAsked, isSameWait } from '../merge-terms.js'
import { findHeadsOwners } from '../required-owners.js'
import { endWait } from './auto-merge.js'
import { isBehind, mergeFacts, mergeNow } from './merge-now.js'
import { type BackgroundDeps, changerInBackground } from './person-in-project.js'
import { sourceHead } from './prepare-merge.js'
import { rebaseSource } from './rebase.js'

export interface TaskDeps extends BackgroundDeps {
  /** Stops the environments of a merge request that was merged or closed, on behalf of the user who did so. */
  stopEnvironments: (ended: { mergeRequestId: number; userId: number }) => Promise<void>
}

/** Performs a task of a merge request. It may be called again for a task that was interrupted. */
export async function performTask(deps: TaskDeps, task: TaskRow, signal: AbortSignal): Promise<void> {
  const row = await findMergeRequestById(deps.pushes.database, task.merge_request_id)
  if (!row) return
  switch (task.kind) {
    case 'merge':
      return mergeIfReady(deps, row, signal)
    case 'rebase':
      return rebaseSource(deps, row, task, signal)
    case 'delete_source_branch':
      return deleteSourceBranch(deps, row, task, signal)
    case 'stop_environments':
      return deps.stopEnvironments({ mergeRequestId: row.id, userId: task.user_id })
  }
}

/**
 * Merges a merge request that waits for its pipeline, or adds it to the merge train, if nothing is missing. It goes on waiting for what may still come
 * true: a pipeline that is running or is retried, an approval. A merge that has failed ends the wait.
 */
async function mergeIfReady(deps: BackgroundDeps, row: MergeRequestRow, signal: AbortSignal): Promise<void> {
  if (row.state !== 'opened' || !row.merge_when_pipeline_succeeds) return
  const by = { projectId: row.project_id, userId: row.merge_user_id }
  const merger = await changerInBackground(deps, by, signal)
  if (!merger) return giveUp(deps, row, NOT_ANY_MORE)
  const changed = changedSinceAsked(row, merger.project)
  if (changed !== undefined) return giveUp(deps, row, `${changed}.`)
  const head = await sourceHead(deps.pushes, row)
  // The comparison with the branch ends the wait, or goes on with it.
  if (head !== undefined && isBehind(row, head)) return
  await findHeadsOwners(deps.pushes, row, head)
  const facts = await mergeFacts(deps.pushes.database, merger.project, row, { source: head })
  if (isActive(facts.pipeline) || !hasPassed(facts.pipeline) || mergeRefusal(facts) !== undefined) return
  if (isForTrain(row)) return boardTrain(deps.pushes.database, row)
  try {
    await mergeNow(deps, merger, row, mergeParamsOf(row))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Another request merges it now, or its state has changed.
    if (error.status === 405) return
    await giveUp(deps, row, REASONS[error.status] ?? error.message)
  }
}

function hasPassed(status: string | undefined): boolean {
  return status === 'success' || status === 'skipped'
}

const NOT_ANY_MORE = 'The user who has asked for the merge may not merge any more.'

/** What a failed merge says about the reason, by the status of its error. */
const REASONS: Partial<Record<number, string>> = {
  401: NOT_ANY_MORE,
  409: 'The source branch or the target branch has moved.',
  422: 'The branches cannot be merged.',
}

async function giveUp({ pushes }: BackgroundDeps, seen: MergeRequestRow, reason: string): Promise<void> {
  await inTransaction(pushes.database, async (tx) => {
    const row = await lockMergeRequest(tx, seen.id)
    // A wait that was asked for since then is another one.
    if (row?.state !== 'opened' || !isSameWait(row, seen)) return
    const because = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '')
    const user = { id: row.merge_user_id ?? row.author_id }
    await endWait(tx, user, row, `Automatic merge failed: ${reason}`, because)
  })
}

/**
 * The branch stays if it has moved since the merge, if it is protected, or if none of the users who want it deleted may
 * do that in the source project at this moment.
 */
async function deleteSourceBranch(
  deps: BackgroundDeps,
  row: MergeRequestRow,
  { user_id: userId, params }: TaskRow,
  signal: AbortSignal,
): Promise<void> {
  const head = await sourceHead(deps.pushes, row)
  if (row.state !== 'merged' || row.source_project_id === null || head === undefined) return
  if (head !== row.head_sha || (await isInUse(deps, row))) return
  const { database } = deps.pushes
  for (const id of [userId, ...(params.other_user_ids ?? [])]) {
    const giver = await pusherToSource(database, id, row)
    if (giver) return deleteBranch(deps, { ...giver, signal }, row.source_branch, head)
  }
}

/** Whether another open merge request needs the branch. */
async function isInUse({ pushes }: BackgroundDeps, row: MergeRequestRow): Promise<boolean> {
  const other = await pushes.database
    .selectFrom('merge_request')
    .select('id')
    .where('state', 'in', ['opened', 'locked'])
    .where(({ or, and, eb }) =>
      or([
        and([
          eb('source_project_id', '=', row.source_project_id),
          eb('source_branch', '=', row.source_branch),
        ]),
        and([eb('project_id', '=', row.source_project_id), eb('target_branch', '=', row.source_branch)]),
      ]),
    )
    .executeTakeFirst()
  return other !== undefined
}

async function deleteBranch(
  { pushes }: BackgroundDeps,
  changer: RefChanger,
  branch: string,
  head: string,
): Promise<void> {
  const rules = await listProtectedRefs(pushes.database, changer.project.id, changer.user.id)
  if (rulesOf(rules, 'branch', branch).length > 0) return
  try {
    await changeRefs(pushes, changer, [{ ref: `refs/heads/${branch}`, before: head, after: ZERO_ID }])
  } catch (error) {
    const isKept = error instanceof RefsRefusedError || error instanceof RefsMovedError
    if (!isKept) throw error
    pushes.logger.info(
      { project: changer.project.id, branch, reason: error.message },
      'A merged branch is kept',
    )
  }
}
