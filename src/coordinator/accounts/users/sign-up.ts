import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { ApiError, invalidRecord } from '../../http/errors.js'
import { mailContext } from '../../integrations/mail/mail-context.js'
import { acceptTerms, enforcedTerms, type Terms } from '../terms/terms.js'
import { requestPasswordLink } from './account-links.js'
import { checkAccount } from './account-rules.js'
import { createUser, type NewAccount } from './account/create-user.js'
import { refuseKnownPassword } from './known-passwords/refuse-known.js'
import { isEmailTaken, isPathTaken } from './store.js'

/** What visitors have to know and do to sign up. */
export interface SignUpRules {
  /** An administrator approves the account before it can be used. */
  needsApproval: boolean
  /** The address is confirmed by a link in a mail. */
  confirmsAddress: boolean
  /** The address counts as unconfirmed until then; without mails, an administrator approves it with the account. */
  leavesUnconfirmed: boolean
  /** Undefined if there are none to accept. */
  terms: Terms | undefined
  /** The text that visitors read after they have signed up; may be empty. */
  textAfter: string
}

/** The rules for visitors who sign up; undefined if only administrators create accounts. */
export async function signUpRules(database: Database): Promise<SignUpRules | undefined> {
  const settings = await effectiveSettings(
    database,
    ...(['signup_enabled', 'require_admin_approval_after_user_signup'] as const),
    ...(['password_authentication_enabled_for_web', 'after_sign_up_text'] as const),
    'email_confirmation_setting',
  )
  if (!settings.signup_enabled || !settings.password_authentication_enabled_for_web) return undefined
  const sendsMails = mailContext(database) !== undefined
  return {
    // Without mails, nothing shows that the address belongs to the visitor.
    needsApproval: settings.require_admin_approval_after_user_signup || !sendsMails,
    confirmsAddress: sendsMails && settings.email_confirmation_setting !== 'off',
    leavesUnconfirmed: sendsMails,
    terms: await enforcedTerms(database),
    textAfter: settings.after_sign_up_text ?? '',
  }
}

/** Longest name and longest address, in characters. */
const MAX_NAME_LENGTH = 255

export type SignUp = Required<Pick<NewAccount, 'username' | 'name' | 'email' | 'password'>>

/**
 * Creates the account of a visitor. If the address belongs to an account already, the visitor must not learn it: nothing
 * is created, and the owner of the address gets a link to set another password. Returns the ID of the new user, if there
 * is one. Throws 400 for invalid parameters and a username that is taken.
 */
export async function signUp(
  database: Database,
  { needsApproval, confirmsAddress, leavesUnconfirmed, terms }: SignUpRules,
  params: SignUp,
): Promise<number | undefined> {
  const isNameTooLong = params.name.length > MAX_NAME_LENGTH
  if (isNameTooLong) throw invalidRecord({ name: [`is too long (maximum is ${MAX_NAME_LENGTH} characters)`] })
  if (params.email.length > MAX_NAME_LENGTH) throw invalidRecord({ email: ['is invalid'] })
  checkAccount(params)
  await refuseKnownPassword(database, params.password)
  if (await isPathTaken(database, params.username)) throw usernameTaken()
  const state = needsApproval ? 'blocked_pending_approval' : 'active'
  try {
    const user = await createUser(database, params, undefined, {
      state,
      confirmsAddress,
      leavesUnconfirmed,
    })
    if (terms) await acceptTerms(database, user.id, terms.version)
    return user.id
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    if (!(await isEmailTaken(database, params.email))) throw usernameTaken()
    await requestPasswordLink(database, params.email)
    return undefined
  }
}

function usernameTaken(): ApiError {
  return invalidRecord({ username: ['is not available'] })
}
