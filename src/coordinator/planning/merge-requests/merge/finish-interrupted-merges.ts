import { MINUTE } from '../../../../lib/time-units.js'
import { inTransaction } from '../../../database/transaction.js'
import { isAncestor } from '../../../hosting/repositories/changed-files.js'
import type { PushDeps } from '../../../hosting/repositories/push/handle-push.js'
import { lockedBefore, lockMergeRequest, type MergeRequestRow } from '../../stores/merge-request-store.js'
import { markMerged } from './mark-merged.js'
import { unlock } from './merge-now.js'

/** Age in milliseconds of a lock whose merge has ended: to move a branch takes no longer. */
const ABANDONED_AFTER = 2 * MINUTE

const INTERRUPTED = 'Merge failed: the service was interrupted. Please try again.'

/**
 * Completes or unlocks merge requests that a killed coordinator has left locked. Git decides: if the target branch
 * contains the commit of the merge, it is merged. Safe at any time, also on several coordinators. Failures are
 * logged.
 */
export async function finishInterruptedMerges(deps: PushDeps, now = Date.now()): Promise<void> {
  for (const row of await lockedBefore(deps.database, now - ABANDONED_AFTER)) {
    try {
      await finish(deps, row)
    } catch (error) {
      deps.logger.error(
        { err: error, mergeRequest: row.id, project: row.project_id },
        'Failed to finish an interrupted merge; a later run retries',
      )
    }
  }
}

async function finish(
  deps: PushDeps,
  { id, in_progress_merge_sha: sha, ...found }: MergeRequestRow,
): Promise<void> {
  if (sha === null || !(await isInTarget(deps, found, sha))) {
    // A process that hangs could still move the branch; the merge is completed then.
    await unlock(deps.database, id, { head: sha, reason: INTERRUPTED, isOver: false })
    return
  }
  await inTransaction(deps.database, async (tx) => {
    const row = await lockMergeRequest(tx, id)
    if (row?.state === 'locked' && row.in_progress_merge_sha === sha) await markMerged(tx, row, row.author_id)
  })
}

async function isInTarget(
  { repositories }: PushDeps,
  { project_id, target_branch }: Pick<MergeRequestRow, 'project_id' | 'target_branch'>,
  sha: string,
): Promise<boolean> {
  const target = await repositories.resolveRef(project_id, `refs/heads/${target_branch}`)
  if (!target || (await repositories.commitOf(project_id, sha)) === undefined) return false
  const gitDir = repositories.path(project_id)
  return repositories.withSlot(project_id, 'inner', () => isAncestor(gitDir, sha, target.sha))
}
