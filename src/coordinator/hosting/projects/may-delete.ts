import { may } from '../../access/access.js'
import type { Transaction } from '../../database/transaction.js'
import { giverNow } from '../../intentions/giver.js'

/** Whether a user may delete a project at this moment; within the transaction that deletes it or stores the intention. */
export async function mayDeleteProject(
  tx: Transaction,
  userId: number | null,
  projectId: number,
): Promise<boolean> {
  const giver = await giverNow(tx, { userId, projectId, isReadOnlyAllowed: true })
  return giver !== undefined && may('remove_project', giver)
}
