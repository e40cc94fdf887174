import type { User } from '../../access/caller.js'
import { findUserOfIdentity } from '../../accounts/users/identities.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { AccountFacts } from './decide-account.js'
import type { ProvenIdentity } from './provider.js'

/** What the store knows about an identity at the provider with this name. */
export async function readAccountFacts(
  database: Database,
  provider: string,
  { subject, email }: Pick<ProvenIdentity, 'subject' | 'email'>,
): Promise<AccountFacts> {
  const linked = await findUserOfIdentity(database, provider, subject)
  if (linked || email === undefined) return { linked, owner: undefined, hasOwnerConfirmed: false }
  return { linked, ...(await findOwner(database, email)) }
}

/** A secondary address reserves nothing until it is confirmed. */
async function findOwner(
  database: Database,
  email: string,
): Promise<{ owner: User | undefined; hasOwnerConfirmed: boolean }> {
  const primary = await database
    .selectFrom('user')
    .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
    .selectAll('user')
    .select('user_profile.confirmed_at')
    .where(({ ref }) => sameText(ref('user.email'), email))
    .executeTakeFirst()
  if (primary) {
    const { confirmed_at, ...owner } = primary
    return { owner, hasOwnerConfirmed: confirmed_at !== null }
  }
  const owner = await database
    .selectFrom('user_email')
    .innerJoin('user', 'user.id', 'user_email.user_id')
    .selectAll('user')
    .where(({ ref }) => sameText(ref('user_email.email'), email))
    .where('user_email.confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { owner, hasOwnerConfirmed: owner !== undefined }
}
