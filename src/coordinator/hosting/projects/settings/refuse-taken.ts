import type { Transaction } from '../../../database/transaction.js'
import { invalidRecord } from '../../../http/errors.js'
import { takenNames } from '../store.js'

/** Throws 400 if another project of the namespace has the name or the path. */
export async function refuseTaken(
  tx: Transaction,
  namespace: { id: number },
  names: { name: string; path: string; except?: number },
): Promise<void> {
  const taken = await takenNames(tx, namespace.id, names)
  if (!taken.name && !taken.path) return
  throw invalidRecord({
    ...(taken.name ? { name: ['has already been taken'] } : {}),
    ...(taken.path ? { path: ['has already been taken'] } : {}),
    limit_reached: [],
  })
}
