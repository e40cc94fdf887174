import { branchOrTag } from '../../../../git/names.js'
import type { Transaction } from '../../../database/transaction.js'
import type { MovedRef } from '../../../hosting/repositories/push/handle-push.js'
import { refreshAllOf, refreshInto, requestRefresh } from '../../stores/merge-request-refresh-store.js'
import { openFromBranch } from '../../stores/merge-request-store.js'
import { wakeAllTrains, wakeTrain } from '../../stores/merge-train-store.js'

/** Asks for a refresh of the open merge requests from and into a branch that was moved. */
export async function onBranchMoved(
  tx: Transaction,
  projectId: number,
  { ref, userId }: Pick<MovedRef, 'ref' | 'userId'>,
): Promise<void> {
  const target = branchOrTag(ref)
  if (target?.kind !== 'branch') return
  await requestRefresh(tx, await openFromBranch(tx, projectId, target.name), userId)
  await refreshInto(tx, { projectId, branch: target.name }, userId)
  await wakeTrain(tx, projectId, target.name)
}

/** As `onBranchMoved`, for a push of so many branches that they are not reported one by one. */
export async function onManyBranchesMoved(tx: Transaction, projectId: number, userId: number): Promise<void> {
  await refreshAllOf(tx, projectId, userId)
  await wakeAllTrains(tx)
}
