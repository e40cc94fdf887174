import { DEVELOPER } from '../../../access/access-levels.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import {
  changeRefs,
  checkMayChange,
  type RefChanger,
  withChangeSlot,
} from '../../../hosting/repositories/change/change-refs.js'
import {
  MergeConflictError,
  RefsMovedError,
  RefsRefusedError,
} from '../../../hosting/repositories/change/errors.js'
import { fetchCommit } from '../../../hosting/repositories/change/fetch-commit.js'
import { rebaseCommits } from '../../../hosting/repositories/change/rebase-commits.js'
import { forwardOnlyRefs, refusalsOf } from '../../../hosting/repositories/push/ref-rules.js'
import { listProtectedRefs } from '../../../hosting/repositories/store.js'
import { ApiError, apiError } from '../../../http/errors.js'
import { lockTheMergeRequest } from '../../access/merge-request-access.js'
import {
  lockMergeRequest,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../../stores/merge-request-store.js'
import { requestTask, type TaskRow } from '../../stores/merge-request-task-store.js'
import { refused } from './merge-now.js'
import { type BackgroundDeps, changerInBackground } from './person-in-project.js'
import { cannotBeMerged, sourceHead } from './prepare-merge.js'

/**
 * Asks for the source branch to be rebased onto the target branch in the background. Throws 403 if the caller may not
 * push to the source branch or not move it backwards, 405 for a merge request that is closed or merged, and 409 while it
 * is being merged or rebased.
 */
export async function requestRebase(
  deps: BackgroundDeps,
  { project, user, signal }: RefChanger,
  row: MergeRequestRow,
  skipCi: boolean,
): Promise<void> {
  await checkMayRebase(deps, { userId: user.id, row }, signal)
  await inTransaction(deps.pushes.database, async (tx) => {
    const locked = await lockTheMergeRequest(tx, { project }, row.iid)
    if (locked.state === 'locked' || locked.rebase_in_progress) throw refused('locked')
    if (locked.state !== 'opened') throw refused('not_open')
    const started = { rebase_in_progress: true, merge_error: null, updated_at: Date.now() }
    await updateMergeRequestRow(tx, locked, started)
    await requestTask(tx, locked, 'rebase', user.id, { skip_ci: skipCi })
  })
}

async function checkMayRebase(
  deps: BackgroundDeps,
  { userId, row }: { userId: number; row: MergeRequestRow },
  signal: AbortSignal,
): Promise<void> {
  const head = await sourceHead(deps.pushes, row)
  if (row.source_project_id === null || head === undefined) throw cannotBeMerged()
  const changer = await changerInBackground(deps, { projectId: row.source_project_id, userId }, signal)
  if (!changer || changer.accessLevel < DEVELOPER) throw apiError('source_branch_forbidden')
  const { project, accessLevel } = changer
  const protectedRefs = await listProtectedRefs(deps.pushes.database, project.id, userId)
  const changes = [{ ref: `refs/heads/${row.source_branch}`, before: head, after: head }]
  const situation = { changes, accessLevel, protectedRefs, defaultBranch: project.default_branch }
  if (refusalsOf(situation).length > 0) throw apiError('source_branch_forbidden')
  if (forwardOnlyRefs(situation).length > 0) throw apiError('source_branch_protected')
}

/**
 * Rebases the source branch, as far as that was not done before an interruption. A rebase that is not possible leaves
 * the reason in `merge_error`.
 */
export async function rebaseSource(
  deps: BackgroundDeps,
  row: MergeRequestRow,
  { user_id: userId, params }: TaskRow,
  signal: AbortSignal,
): Promise<void> {
  if (!row.rebase_in_progress) return
  const problem = row.state === 'opened' ? await moveSource(deps, row, { userId, params }, signal) : undefined
  await inTransaction(deps.pushes.database, (tx) => finish(tx, row.id, problem ?? null))
}

async function finish(tx: Transaction, id: number, problem: string | null): Promise<void> {
  const row = await lockMergeRequest(tx, id)
  if (!row) return
  const ended = { rebase_in_progress: false, merge_error: problem, updated_at: Date.now() }
  await updateMergeRequestRow(tx, row, ended)
}

/** Returns why it is not possible; undefined if it is done. */
async function moveSource(
  deps: BackgroundDeps,
  row: MergeRequestRow,
  { userId, params }: Pick<TaskRow, 'params'> & { userId: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { pushes } = deps
  const source = await sourceHead(pushes, row)
  const onto = await pushes.repositories.resolveRef(row.project_id, `refs/heads/${row.target_branch}`)
  if (source === undefined || row.source_project_id === null || !onto) return failed('a branch is missing')
  const changer = await changerInBackground(deps, { projectId: row.source_project_id, userId }, signal)
  if (!changer) return failed('the user may not push to the source branch')
  try {
    const after = await rebased(deps, changer, row, { source, onto: onto.sha })
    if (after === source) return undefined
    const ref = `refs/heads/${row.source_branch}`
    // Before the branch moves: the pipeline of the new version is created by the one that sees the new head first.
    if (params.skip_ci) await inTransaction(pushes.database, (tx) => keepUnbuilt(tx, row.id, after))
    await changeRefs(pushes, changer, [
      { ref, before: source, after, ...(params.skip_ci && { isQuiet: true }) },
    ])
    return undefined
  } catch (error) {
    if (error instanceof MergeConflictError) return failed('the changes conflict. Rebase the branch locally')
    if (error instanceof RefsMovedError) return failed('the source branch has moved. Please try again')
    if (error instanceof RefsRefusedError) return failed(error.message)
    // Rules about commits and files; it would be refused again.
    if (error instanceof ApiError && error.status < 500)
      return failed('the rules of the source project refuse the commits')
    throw error
  }
}

async function keepUnbuilt(tx: Transaction, id: number, head: string): Promise<void> {
  const row = await lockMergeRequest(tx, id)
  if (row) await updateMergeRequestRow(tx, row, { unbuilt_head_sha: head })
}

function failed(reason: string): string {
  return `Rebase failed: ${reason}.`.replace(/\.\.$/, '.')
}

async function rebased(
  { pushes }: BackgroundDeps,
  changer: RefChanger,
  row: MergeRequestRow,
  { source, onto }: { source: string; onto: string },
): Promise<string> {
  const { project, user, signal } = changer
  await checkMayChange(pushes, changer, [
    { ref: `refs/heads/${row.source_branch}`, before: source, after: source },
  ])
  if ((await pushes.repositories.commitOf(project.id, onto)) === undefined) {
    await fetchCommit(pushes, changer, row.project_id, onto)
  }
  const gitDir = pushes.repositories.path(project.id)
  return withChangeSlot(pushes, changer, () =>
    rebaseCommits(gitDir, { source, onto, committer: user }, signal),
  )
}
