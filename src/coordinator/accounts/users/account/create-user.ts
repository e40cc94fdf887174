import { RE2JS } from 're2js'

import { hashPassword } from '../../../../lib/password-hash.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { EffectiveSettings } from '../../../database/tables/application-settings.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, invalidRecord } from '../../../http/errors.js'
import { emitMemberEvents } from '../../../integrations/webhooks/outbox/emit-member-events.js'
import { emitUserEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { acceptInvitations } from '../../members/accept-invitations.js'
import { checkAccount } from '../account-rules.js'
import { checkDomain } from '../email-domains.js'
import { setIdentity } from '../identities.js'
import { refuseKnownPassword } from '../known-passwords/refuse-known.js'
import { mailConfirmation, mailPasswordLink } from '../links/account-mails.js'
import { mustConfirm } from '../links/must-confirm.js'
import type { CreateUser } from '../record/schema.js'
import { insertUser, isEmailTaken, isPathTaken } from '../store.js'
import { setPassword } from './password.js'
import { accountColumns, profileColumns } from './profile-columns.js'
import { refusingTaken } from './refusing-taken.js'

/** Like `createUser`, for administrators, who must choose how the password is set. */
export async function createAccount(database: Database, params: CreateUser, creator: User): Promise<User> {
  const { password, reset_password, force_random_password } = params
  const isRandom = reset_password || force_random_password
  if (!isRandom && !password) throw invalidRecord({ password: ["can't be blank"] })
  // A random password that is shown to no one equals no password.
  return createUser(database, isRandom ? { ...params, password: undefined } : params, creator)
}

export type NewAccount = Pick<CreateUser, 'username' | 'name' | 'email'> &
  Partial<Omit<CreateUser, 'password'>> & { password?: string | undefined }

/** The initial state of an account that a visitor, not an administrator, creates. */
export interface SignUpState {
  state: 'active' | 'blocked_pending_approval'
  /** Whether the visitor gets a mail to confirm the address. */
  confirmsAddress: boolean
  /** Whether the address is unconfirmed also without such a mail. */
  leavesUnconfirmed?: boolean
  /** Whether an identity provider has verified the address. */
  isAddressProven?: boolean
}

/** Throws 400 for invalid parameters, and 409 for a username or e-mail address that is taken. */
export async function createUser(
  database: Database,
  params: NewAccount,
  creator?: User,
  signUp?: SignUpState,
): Promise<User> {
  checkAccount(params)
  const defaults = await newUserSettings(database)
  checkDomain(params.email, defaults)
  if (params.password !== undefined) await refuseKnownPassword(database, params.password)
  // Hashing takes long, so it runs before the transaction.
  const hash = params.password === undefined ? undefined : await hashPassword(params.password)
  return refusingTaken('username_taken', () =>
    inTransaction(database, async (tx) => {
      const { username, name, email, admin } = params
      await refuseTaken(tx, params)
      const isUnconfirmed = signUp
        ? signUp.confirmsAddress
        : mustConfirm(tx, defaults) && creator !== undefined && params.skip_confirmation !== true
      const user = await insertUser(
        tx,
        {
          ...usualColumns(defaults, email),
          ...accountColumns(params),
          username,
          name,
          email,
          is_admin: admin ?? false,
          ...(signUp && { state: signUp.state }),
        },
        {
          ...profileColumns(params, [email]),
          created_by_id: creator?.id ?? null,
          ...((isUnconfirmed || signUp?.leavesUnconfirmed) && { confirmed_at: null }),
        },
      )
      if (hash !== undefined) await setPassword(tx, user.id, hash)
      await setIdentity(tx, user.id, params)
      await emitUserEvents(tx, { name: 'user_create' }, user)
      // Invitations are accepted once the address is confirmed. A visitor may have typed the address of another person.
      if (isUnconfirmed) await mailConfirmation(tx, user, { email, kind: 'primary_email' })
      else if (!signUp || signUp.isAddressProven)
        await emitMemberEvents(tx, 'added', await acceptInvitations(tx, user))
      if (params.reset_password) await mailPasswordLink(tx, user, 'new')
      return user
    }),
  )
}

function newUserSettings(database: Database) {
  return effectiveSettings(
    database,
    ...(['default_projects_limit', 'domain_allowlist', 'domain_denylist'] as const),
    ...(['domain_denylist_enabled', 'user_default_external', 'send_user_confirmation_email'] as const),
    ...(['can_create_group', 'user_default_internal_regex'] as const),
  )
}

function usualColumns(
  {
    default_projects_limit: projects_limit,
    user_default_external,
    user_default_internal_regex: internal,
    can_create_group,
  }: Pick<
    EffectiveSettings,
    | ('default_projects_limit' | 'user_default_external')
    | ('user_default_internal_regex' | 'can_create_group')
  >,
  email: string,
) {
  const isInternal = Boolean(internal) && RE2JS.compile(internal ?? '').test(email)
  return { projects_limit, external: user_default_external && !isInternal, can_create_group }
}

async function refuseTaken(tx: Transaction, { email, username }: NewAccount): Promise<void> {
  if (await isEmailTaken(tx, email)) throw apiError('email_taken')
  if (await isPathTaken(tx, username)) throw apiError('username_taken')
}
