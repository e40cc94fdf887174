import { hashPassword } from '../../../lib/password-hash.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { updateProfile } from '../../database/stores/user-profile-store.js'
import type { AuditEvent } from '../../database/tables/audit-events.js'
import { sameText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { mailContext } from '../../integrations/mail/mail-context.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'
import { acceptInvitations } from '../members/accept-invitations.js'
import { checkAccount } from './account-rules.js'
import { setPassword } from './account/password.js'
import { confirmEmailRow, deleteEmailNamed } from './emails/store.js'
import { refuseKnownPassword } from './known-passwords/refuse-known.js'
import { mailConfirmation, mailPasswordChanged, mailPasswordLink } from './links/account-mails.js'
import { type AccountLink, deleteLinks, findAccountLink, newestLinkAt, useLink } from './links/store.js'
import { findUser, isEmailTaken, updateUser } from './store.js'

/** Minimum time between two links for a forgotten password, or two that confirm an address, in milliseconds. */
const MAIL_PAUSE = 5 * MINUTE

/** Result of a confirmation. `unknown`: the link was used, has expired, or never existed. */
export type Confirmation = { outcome: 'confirmed'; email: string } | { outcome: 'unknown' | 'taken' }

/** Confirms the address of a link: as that of the account, or as another one of its user. */
export async function confirmAddress(database: Database, token: string): Promise<Confirmation> {
  return inTransaction(database, async (tx) => {
    const link = await findAccountLink(tx, ['primary_email', 'other_email'], token)
    const user = link && (await lockedUser(tx, link))
    if (!link || !user || !(await useLink(tx, link))) return { outcome: 'unknown' }
    const { email, kind } = link
    if (await isEmailTaken(tx, email, user.id)) return { outcome: 'taken' }
    if (kind === 'other_email') {
      const isTheirs = await confirmEmailRow(tx, user.id, email)
      return isTheirs ? { outcome: 'confirmed', email } : { outcome: 'unknown' }
    }
    await confirmPrimary(tx, user, email)
    return { outcome: 'confirmed', email }
  })
}

async function lockedUser(tx: Transaction, { user_id }: AccountLink): Promise<User | undefined> {
  await lockRow(tx, 'user', user_id)
  return findUser(tx, user_id)
}

/** Makes the address that of the account, and accepts the invitations of the address. */
async function confirmPrimary(tx: Transaction, user: User, email: string): Promise<void> {
  if (email !== user.email) {
    await deleteEmailNamed(tx, user.id, email)
    await updateUser(tx, user.id, { email })
  }
  await updateProfile(tx, user.id, { confirmed_at: Date.now() })
  await emitMemberEvents(tx, 'added', await acceptInvitations(tx, { id: user.id, email }))
}

/**
 * Mails another link that confirms the address of an account, if there is one that has not: callers must not learn whether
 * there is. Not again within five minutes.
 */
export async function requestConfirmation(database: Database, email: string): Promise<void> {
  await inTransaction(database, async (tx) => {
    const user = await tx
      .selectFrom('user')
      .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
      .selectAll('user')
      .where(({ ref }) => sameText(ref('user.email'), email))
      .where('user_profile.confirmed_at', 'is', null)
      .where('user.state', 'in', ['active', 'blocked_pending_approval'])
      .where('user.kind', '=', 'human')
      .executeTakeFirst()
    if (!user) return
    const last = await newestLinkAt(tx, user.id, 'primary_email')
    if (last !== undefined && last >= Date.now() - MAIL_PAUSE) return
    await mailConfirmation(tx, user, { email: user.email, kind: 'primary_email' })
  })
}

/**
 * Mails a link that sets a password to the user with this primary address, if there is one: callers must not learn whether
 * there is. Not again within five minutes.
 */
export async function requestPasswordLink(database: Database, email: string): Promise<void> {
  if (!mailContext(database)) return
  await inTransaction(database, async (tx) => {
    const user = await tx
      .selectFrom('user')
      .selectAll()
      .where(({ ref }) => sameText(ref('email'), email))
      .where('state', '=', 'active')
      .where('kind', '=', 'human')
      .executeTakeFirst()
    if (!user) return
    const last = await newestLinkAt(tx, user.id, 'password')
    if (last === undefined || last < Date.now() - MAIL_PAUSE) await mailPasswordLink(tx, user, 'forgotten')
  })
}

/** The user whose password a link sets; undefined for a link that was used, has expired, or never existed. */
export async function userOfPasswordLink(database: Database, token: string): Promise<User | undefined> {
  const link = await findAccountLink(database, ['password'], token)
  const user = link && (await findUser(database, link.user_id))
  // A link to an address that is no longer that of the account must not open it.
  return user?.state === 'active' && user.email === link?.email ? user : undefined
}

/**
 * Sets the password by a link, which proves the address, too. False if a concurrent request has used the link. Throws 400
 * for an unsuitable password.
 */
export async function setPasswordByLink(
  database: Database,
  { token, password, address }: { token: string; password: string; address: string },
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>,
): Promise<boolean> {
  const known = await userOfPasswordLink(database, token)
  if (!known) return false
  checkAccount({ password, username: undefined, email: undefined })
  await refuseKnownPassword(database, password)
  const hash = await hashPassword(password)
  return inTransaction(database, async (tx) => {
    const link = await findAccountLink(tx, ['password'], token)
    const user = link && (await lockedUser(tx, link))
    if (!link || user?.email !== link.email || !(await useLink(tx, link))) return false
    await deleteLinks(tx, user.id, 'password')
    await setPassword(tx, user.id, hash)
    await confirmPrimary(tx, user, user.email)
    await mailPasswordChanged(tx, user)
    await storeAuditEvent(tx, passwordEvent(user, address))
    return true
  })
}

function passwordEvent(user: User, address: string): AuditEvent {
  return {
    author_id: user.id,
    entity_type: 'User',
    entity_id: user.id,
    details: {
      change: 'password',
      author_name: user.name,
      target_id: user.id,
      target_type: 'User',
      target_details: user.username,
      ip_address: address,
      entity_path: user.username,
    },
  }
}
