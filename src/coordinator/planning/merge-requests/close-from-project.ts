import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { lockMergeRequest, openFromProject, updateMergeRequestRow } from '../stores/merge-request-store.js'
import { ENDED_WAIT, WAS_CLOSED } from './merge-terms.js'

/** Closes the open merge requests from a project into other ones: it is not a fork any more. */
export async function closeMergeRequestsFrom(tx: Transaction, projectId: number, user: User): Promise<void> {
  for (const { id } of await openFromProject(tx, projectId)) {
    const before = await lockMergeRequest(tx, id)
    if (before?.state !== 'opened') continue
    const was = await mergeRequestSnapshot(tx, before)
    const row = await updateMergeRequestRow(tx, before, { ...closedBy(user), updated_by_id: user.id })
    await emitMergeRequestChange(tx, user, was, row, { because: WAS_CLOSED })
  }
}

/** The columns of a merge request that a user closes. */
export function closedBy({ id }: Pick<User, 'id'>) {
  const now = Date.now()
  return { ...ENDED_WAIT, state: 'closed' as const, closed_at: now, closed_by_id: id, updated_at: now }
}
