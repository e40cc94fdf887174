import type { User } from '../../access/caller.js'
import { findUserOfIdentity } from '../../accounts/users/identities.js'
import { isEmailTaken } from '../../accounts/users/store.js'
import type { Database } from '../../database/connect.js'
import { ApiError, apiError } from '../../http/errors.js'
import { createAccountOf } from '../../sessions/providers/new-account.js'
import type { IdentityProvider } from '../../sessions/providers/provider.js'
import { fullNameOf, type UserStatement } from '../protocol/read-user.js'
import { findRow } from '../stores/user-store.js'

type Rules = Pick<IdentityProvider, 'name' | 'rules'>

/**
 * The account of a new SCIM user: that which has the identity already, or a new one. Never one that only has the same
 * address: users who can change their address at the provider could take it over. Throws 409 if there is such an account.
 */
export async function accountFor(
  database: Database,
  provider: Rules,
  statement: UserStatement & { externalId: string },
): Promise<User> {
  const linked = await findUserOfIdentity(database, provider.name, statement.externalId)
  if (linked) {
    await refuseAdoption(database, provider, linked)
    return linked
  }
  if (await isEmailTaken(database, statement.email)) throw notLinked(statement)
  try {
    return await createAccount(database, provider, statement)
  } catch (error) {
    const isTaken = error instanceof ApiError && error.status === 409
    throw isTaken && (await isEmailTaken(database, statement.email)) ? notLinked(statement) : error
  }
}

function notLinked({ email }: UserStatement): ApiError {
  return apiError('scim_account_not_linked', { email })
}

/** Throws for an account that the provider manages already, or must not manage. */
async function refuseAdoption(database: Database, provider: Rules, { id, kind }: User): Promise<void> {
  if (kind !== 'human') throw apiError('scim_no_person')
  const row = await findRow(database, id)
  if (row?.deleted_at !== null) return
  throw row.provider === provider.name
    ? apiError('scim_user_exists', { id })
    : apiError('scim_managed_by_other')
}

/**
 * The administrator of the provider has decided that the user gets an account, so `new_accounts` and
 * `new_accounts_approval`, which are about sign-ins, do not apply.
 */
function createAccount(
  database: Database,
  { name, rules }: Rules,
  statement: UserStatement & { externalId: string },
): Promise<User> {
  return createAccountOf(
    database,
    { name, rules: { ...rules, newAccountsApproval: false } },
    {
      subject: statement.externalId,
      sid: null,
      authenticatedAt: undefined,
      username: statement.userName,
      name: fullNameOf(statement),
      email: statement.email,
      isEmailVerified: isOwnDomain(rules, statement.email),
      groups: [],
      claims: {},
      facts: {},
    },
  )
}

/**
 * Whether `allowed_domains` names the domain of the address: the provider then vouches for it. Other addresses are
 * confirmed by a mail, because invitations are accepted by them.
 */
export function isOwnDomain({ allowedDomains }: IdentityProvider['rules'], email: string): boolean {
  return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}

/** Throws 400 for an address of a domain that the provider is not for. */
export function checkProviderDomain(rules: IdentityProvider['rules'], email: string): void {
  if (rules.allowedDomains.length === 0 || isOwnDomain(rules, email)) return
  throw apiError('scim_domain_not_allowed', { email })
}
