import type { Transaction } from '../../../database/transaction.js'
import { requestRefresh } from '../../stores/merge-request-refresh-store.js'
import { openFromProject } from '../../stores/merge-request-store.js'

/** Refreshes the open merge requests of a fork that is being deleted: they lose their source branches. */
export async function refreshMergeRequestsFrom(tx: Transaction, projectId: number): Promise<void> {
  await requestRefresh(tx, await openFromProject(tx, projectId), null)
}
