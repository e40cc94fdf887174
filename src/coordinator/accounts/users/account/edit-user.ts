import type { Updateable } from 'kysely'

import { hashPassword } from '../../../../lib/password-hash.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockRow } from '../../../database/lock-row.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { type ProfileChanges, updateProfile } from '../../../database/stores/user-profile-store.js'
import type { UserTable } from '../../../database/tables/users.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { lockMoves } from '../../../hosting/paths/lock-path.js'
import { apiError, invalidRecord, notFound } from '../../../http/errors.js'
import { emitUserEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { checkAccount } from '../account-rules.js'
import { deleteEmailNamed, listConfirmedEmails } from '../emails/store.js'
import { setIdentity } from '../identities.js'
import { refuseKnownPassword } from '../known-passwords/refuse-known.js'
import { mailAddressChanging, mailConfirmation, mailPasswordChanged } from '../links/account-mails.js'
import { mustConfirm } from '../links/must-confirm.js'
import type { EditUser } from '../record/schema.js'
import { refuseLastAdministrator } from '../state/last-administrator.js'
import { isEmailTaken, isPathTaken, updateUser } from '../store.js'
import { existingUser } from '../users.js'
import { setPassword } from './password.js'
import { accountColumns, profileColumns } from './profile-columns.js'
import { refusingTaken } from './refusing-taken.js'
import { renamePersonalNamespace } from './rename.js'

const ONLY_ADMINISTRATOR = invalidRecord({ admin: ['cannot be taken from the only administrator'] })

/**
 * Changes the given fields. Throws 400 for invalid parameters, and 404 for an unknown user and for a username
 * or address that is taken. A new password ends the sessions of the user except `keptSession`.
 */
export async function editUser(
  database: Database,
  { id, ...params }: EditUser,
  keptSession?: number,
): Promise<User> {
  const user = await existingUser(database, id)
  checkAccount({ ...params, username: changed(params.username, user.username) })
  if (params.password) await refuseKnownPassword(database, params.password)
  const hash = params.password ? await hashPassword(params.password) : undefined
  return refusingTaken('changed_username_taken', () =>
    inTransaction(database, async (tx) => {
      if (params.username !== undefined) await lockMoves(tx)
      await refuseTaken(tx, user, params)
      if (params.admin === false) await refuseLastAdministrator(tx, user, ONLY_ADMINISTRATOR)
      // Lock the user before the rows that belong to them, in the order of the deletion.
      if (!(await lockRow(tx, 'user', id))) throw notFound('User')
      const edited = await updateAccount(tx, user, await withConfirmedEmail(tx, user, params))
      if (hash !== undefined) {
        await setPassword(tx, id, hash, { keptSession })
        await mailPasswordChanged(tx, edited)
      }
      await setIdentity(tx, id, params)
      await editProfile(tx, user, edited, params)
      if (edited.username !== user.username) {
        await emitUserEvents(tx, { name: 'user_rename', oldUsername: user.username }, edited)
      }
      return edited
    }),
  )
}

type Changes = Omit<EditUser, 'id'>

function changed(wanted: string | undefined, present: string): string | undefined {
  return wanted?.toLowerCase() === present.toLowerCase() ? undefined : wanted
}

/** Clients get status 404 if an account cannot be changed, even for a conflict. */
async function refuseTaken(tx: Transaction, user: User, { email, username }: Changes): Promise<void> {
  if (email !== undefined && (await isEmailTaken(tx, email, user.id))) {
    throw apiError('changed_email_taken')
  }
  const name = changed(username, user.username)
  if (name !== undefined && (await isPathTaken(tx, name))) throw apiError('changed_username_taken')
}

/**
 * The changes, without the address if it must be confirmed before the account uses it. The new address then gets a
 * link, and the old address a notice.
 */
async function withConfirmedEmail(tx: Transaction, user: User, params: Changes): Promise<Changes> {
  const { email, skip_reconfirmation } = params
  if (email === undefined || email === user.email || skip_reconfirmation) return params
  if (!mustConfirm(tx, await effectiveSettings(tx, 'send_user_confirmation_email'))) return params
  await mailConfirmation(tx, user, { email, kind: 'primary_email' })
  await mailAddressChanging(tx, user, email)
  return { ...params, email: undefined }
}

async function updateAccount(tx: Transaction, user: User, params: Changes): Promise<User> {
  const { username, name, email, admin } = params
  const changes: Updateable<UserTable> = {
    ...accountColumns(params),
    ...(username !== undefined && { username }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(admin !== undefined && { is_admin: admin }),
  }
  if (Object.keys(changes).length === 0) return user
  const edited = await updateUser(tx, user.id, changes)
  if (edited.username !== user.username || edited.name !== user.name) {
    await renamePersonalNamespace(tx, user, edited)
  }
  return edited
}

/** An address that the user no longer has must not be shown or used in commits. */
async function editProfile(tx: Transaction, before: User, after: User, params: Changes): Promise<void> {
  if (after.email !== before.email) await deleteEmailNamed(tx, after.id, after.email)
  const own = [after.email, ...(await listConfirmedEmails(tx, after.id))]
  const changes = profileColumns(params, own)
  await updateProfile(tx, after.id, { ...(await lostEmails(tx, after.id, own)), ...changes })
}

async function lostEmails(tx: Transaction, userId: number, own: string[]): Promise<ProfileChanges> {
  const profile = await tx
    .selectFrom('user_profile')
    .select(['public_email', 'commit_email'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const isLost = (email: string | null) => email !== null && !own.includes(email)
  return {
    ...(isLost(profile.public_email) && { public_email: null }),
    ...(isLost(profile.commit_email) && { commit_email: null }),
  }
}
