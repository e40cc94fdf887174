import type { User } from '../../access/caller.js'
import { refuseLastAdministrator } from '../../accounts/users/state/last-administrator.js'
import { shutOutWithin } from '../../accounts/users/state/state-changes.js'
import { findUser, moveUserState } from '../../accounts/users/store.js'
import { lockRow } from '../../database/lock-row.js'
import type { UserState } from '../../database/tables/users.js'
import type { Transaction } from '../../database/transaction.js'
import { apiError } from '../../http/errors.js'
import { findRow, updateActive } from '../stores/user-store.js'

/** A banned account stays banned, and a blocked one is blocked already. */
const BLOCKABLE: ReadonlySet<UserState> = new Set(['active', 'deactivated', 'blocked_pending_approval'])

/**
 * Blocks the account, or gives it the state back that it had before the provider blocked it. An account that an
 * administrator has blocked stays so. Returns whether the account was blocked, so that its work is canceled after the
 * commit. Throws 403 for the only administrator.
 */
export async function applyActive(tx: Transaction, userId: number, active: boolean): Promise<boolean> {
  const known = await findUser(tx, userId)
  if (!active && known) await refuseLastAdministrator(tx, known, apiError('scim_last_administrator'))
  const user = await lockedUser(tx, userId)
  const row = await findRow(tx, userId)
  if (!user || !row) throw apiError('scim_resource_not_found', { resource: 'User', id: userId })
  if (active) {
    const { state_before_block: before } = row
    if (before !== null) await moveUserState(tx, userId, { from: 'blocked', to: before })
    await updateActive(tx, userId, { active, state_before_block: null })
    return false
  }
  const isBlocked = BLOCKABLE.has(user.state)
  if (isBlocked) await shutOutWithin(tx, user, 'blocked')
  await updateActive(tx, userId, {
    active,
    state_before_block: isBlocked ? user.state : row.state_before_block,
  })
  return isBlocked
}

async function lockedUser(tx: Transaction, userId: number): Promise<User | undefined> {
  return (await lockRow(tx, 'user', userId)) && findUser(tx, userId)
}
