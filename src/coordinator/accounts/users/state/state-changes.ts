import { DAY } from '../../../../lib/time-units.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { deleteSessionsOfUser } from '../../../database/stores/web-session-store.js'
import type { UserState } from '../../../database/tables/users.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError } from '../../../http/errors.js'
import { moveUserState } from '../store.js'
import { existingUser } from '../users.js'

/** Users with activity within this number of days cannot be deactivated (API, H). */
const IDLE_DAYS = 180

export interface StateDeps {
  database: Database
  /** Cancels the pipelines of a user who is blocked or deactivated; called after the state is written. */
  onShutOut: (userId: number) => Promise<void>
}

/** Blocks a user, who can then use neither tokens nor password; null if already blocked. */
export async function blockUser(deps: StateDeps, id: number, by: User): Promise<true | null> {
  const user = await existingUser(deps.database, id)
  if (user.id === by.id) throw apiError('own_account_not_blockable')
  if (user.kind === 'ghost') throw apiError('internal_user_not_blockable')
  if (user.state === 'blocked') return null
  if (user.state === 'ldap_blocked') throw apiError('directory_user_not_changeable')
  if (user.state === 'banned') throw apiError('banned_user_not_blockable')
  await shutOut(deps, user, 'blocked')
  return true
}

export async function unblockUser({ database }: StateDeps, id: number): Promise<true | null> {
  const user = await existingUser(database, id)
  switch (user.state) {
    case 'active':
      return null
    case 'blocked':
      await moveTo(database, user, 'active')
      return true
    case 'ldap_blocked':
      throw apiError('directory_user_not_changeable')
    case 'deactivated':
      throw apiError('deactivated_user_not_unblockable')
    case 'banned':
      throw apiError('banned_user_not_unblockable')
    case 'blocked_pending_approval':
      throw apiError('pending_user_not_unblockable')
  }
}

export async function activateUser({ database }: StateDeps, id: number): Promise<true> {
  const user = await existingUser(database, id)
  if (user.state !== 'active' && user.state !== 'deactivated') {
    throw apiError('blocked_user_not_activatable')
  }
  await moveTo(database, user, 'active')
  return true
}

/** Deactivates a user without recent activity; the caller, `by`, counts as active. */
export async function deactivateUser(deps: StateDeps, id: number, by: User): Promise<true> {
  const user = await existingUser(deps.database, id)
  if (user.state === 'deactivated') return true
  if (user.state !== 'active') throw apiError('blocked_user_not_deactivatable')
  if (user.kind === 'ghost') throw apiError('internal_user_not_deactivatable')
  if (user.id === by.id || (await wasActiveLately(deps.database, id))) {
    throw apiError('user_recently_active', { days: IDLE_DAYS })
  }
  await shutOut(deps, user, 'deactivated')
  return true
}

export async function banUser(deps: StateDeps, id: number, by: User): Promise<true> {
  const user = await existingUser(deps.database, id)
  const isSafe = user.id !== by.id && user.kind !== 'ghost'
  if (user.state !== 'active' || !isSafe) throw apiError('user_not_bannable', { state: user.state })
  await shutOut(deps, user, 'banned')
  return true
}

export async function unbanUser({ database }: StateDeps, id: number): Promise<true> {
  const user = await existingUser(database, id)
  if (user.state !== 'banned') throw apiError('user_not_unbannable', { state: user.state })
  await moveTo(database, user, 'active')
  return true
}

export async function approveUser({ database }: StateDeps, id: number): Promise<{ message: string }> {
  const user = await existingUser(database, id)
  if (user.state !== 'blocked_pending_approval') {
    throw apiError('approval_not_pending')
  }
  await moveTo(database, user, 'active')
  return { message: 'Success' }
}

/** Ends the sessions too, which would otherwise be valid again once the user is active again. */
async function shutOut(deps: StateDeps, user: User, state: UserState): Promise<void> {
  await inTransaction(deps.database, (tx) => shutOutWithin(tx, user, state))
  await deps.onShutOut(user.id)
}

/** As `shutOut`, in a transaction of the caller, who calls `onShutOut` after its commit. */
export async function shutOutWithin(tx: Transaction, user: User, state: UserState): Promise<void> {
  await moveTo(tx, user, state)
  await deleteSessionsOfUser(tx, user.id)
}

/** The second of two concurrent changes finds a state other than the one it expects. */
async function moveTo(database: Database, { id, state: from }: User, to: UserState): Promise<void> {
  if (!(await moveUserState(database, id, { from, to }))) throw apiError('user_state_changed')
}

async function wasActiveLately(database: Database, userId: number): Promise<boolean> {
  const row = await database
    .selectFrom('user_profile')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('last_activity_at', '>', Date.now() - IDLE_DAYS * DAY)
    .executeTakeFirst()
  return row !== undefined
}
