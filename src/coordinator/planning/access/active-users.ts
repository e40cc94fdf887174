import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'

/** IDs of the active users among these whom `isAllowed` allows, each once and in this order; `0` and null are nobody. */
export async function activeUsersAmong(
  tx: Transaction,
  wanted: readonly (number | null)[],
  isAllowed: (user: User) => Promise<boolean>,
): Promise<number[]> {
  const ids = [...new Set(wanted.map((id) => id ?? 0))].filter((id) => id !== 0)
  if (ids.length === 0) return []
  const users = await tx
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', ids)
    .where('state', '=', 'active')
    .execute()
  const allowed = new Set<number>()
  for (const user of users) if (await isAllowed(user)) allowed.add(user.id)
  return ids.filter((id) => allowed.has(id))
}
