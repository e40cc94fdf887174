import type { Database } from '../../../database/connect.js'
import { deleteSessionsOfUser } from '../../../database/stores/web-session-store.js'
import type { AuditEvent } from '../../../database/tables/audit-events.js'
import type { UserState } from '../../../database/tables/users.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { NOBODY } from '../../../http/audit.js'
import { hasOtherAdministrator, lockAdministrators, moveUserState, setGoneAt } from '../store.js'
import type { StateDeps } from './state-changes.js'

export interface DirectoryBlockDeps extends StateDeps {
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
}

/** An account that is linked to a directory. */
export interface LinkedAccount {
  identityId: number
  userId: number
  username: string
  isAdmin: boolean
  state: UserState
  /** Permanent ID at the directory. */
  subject: string
  /** Whether the user was gone there at the last look. */
  isGone: boolean
}

/** The accounts of people that are linked to a directory, by ID. */
export async function linkedAccounts(database: Database, provider: string): Promise<LinkedAccount[]> {
  const rows = await database
    .selectFrom('user_identity')
    .innerJoin('user', 'user.id', 'user_identity.user_id')
    .select(['user_identity.id', 'user_identity.extern_uid', 'user_identity.gone_at'])
    .select(['user.id as user_id', 'user.username', 'user.is_admin', 'user.state'])
    .where('user_identity.provider', '=', provider)
    .where('user.kind', '=', 'human')
    .orderBy('user.id')
    .execute()
  return rows.map(({ id, extern_uid, gone_at, user_id, username, is_admin, state }) => ({
    identityId: id,
    userId: user_id,
    username,
    isAdmin: is_admin,
    state,
    subject: extern_uid,
    isGone: gone_at !== null,
  }))
}

/**
 * Blocks an active account whose user is gone at a directory, and ends its sessions. `reason` is for the audit trail.
 * Returns false, and blocks nothing, if no administrator would remain.
 */
export async function blockGone(
  deps: DirectoryBlockDeps,
  account: LinkedAccount,
  reason: string,
): Promise<boolean> {
  const { identityId, userId } = account
  const result = await inTransaction(deps.database, async (tx) => {
    if (!account.isGone) await setGoneAt(tx, identityId, Date.now())
    if (account.isAdmin && account.state === 'active' && (await isLastAdministrator(tx, userId)))
      return 'last'
    // Accounts in another state have no access, and keep what administrators have decided.
    if (!(await moveUserState(tx, userId, { from: 'active', to: 'ldap_blocked' }))) return 'unchanged'
    await deleteSessionsOfUser(tx, userId)
    await deps.storeAuditEvent(tx, eventOf(account, `Blocked: ${reason}`))
    return 'blocked'
  })
  if (result === 'blocked') await deps.onShutOut(userId)
  return result !== 'last'
}

/** Records that the user is there again, and unblocks an account whose user is gone at no other directory. */
export async function unblockBack(deps: DirectoryBlockDeps, account: LinkedAccount): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    await setGoneAt(tx, account.identityId, null)
    await unblock(tx, deps, account)
  })
}

/** Unblocks accounts whose identity at the directory was deleted or replaced by an administrator. */
export async function unblockUnlinked(deps: DirectoryBlockDeps): Promise<void> {
  const users = await deps.database
    .selectFrom('user')
    .select(['id', 'username'])
    .where('state', '=', 'ldap_blocked')
    .execute()
  for (const { id, username } of users) {
    await inTransaction(deps.database, (tx) => unblock(tx, deps, { userId: id, username }))
  }
}

async function unblock(
  tx: Transaction,
  { storeAuditEvent }: DirectoryBlockDeps,
  account: Pick<LinkedAccount, 'userId' | 'username'>,
): Promise<void> {
  const gone = await tx
    .selectFrom('user_identity')
    .select('id')
    .where('user_id', '=', account.userId)
    .where('gone_at', 'is not', null)
    .executeTakeFirst()
  if (gone) return
  if (await moveUserState(tx, account.userId, { from: 'ldap_blocked', to: 'active' })) {
    await storeAuditEvent(tx, eventOf(account, 'Unblocked: no directory says any more that the user is gone'))
  }
}

async function isLastAdministrator(tx: Transaction, userId: number): Promise<boolean> {
  // The lock serializes concurrent changes, so that the second one sees the first.
  await lockAdministrators(tx)
  return !(await hasOtherAdministrator(tx, userId))
}

function eventOf(
  { userId, username }: Pick<LinkedAccount, 'userId' | 'username'>,
  message: string,
): AuditEvent {
  return {
    author_id: NOBODY,
    entity_type: 'User',
    entity_id: userId,
    details: {
      custom_message: message,
      author_name: 'Switchyard',
      target_id: userId,
      target_type: 'User',
      target_details: username,
      entity_path: username,
    },
  }
}
