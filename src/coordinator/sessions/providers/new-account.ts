import { randomBytes } from 'node:crypto'

import { pathNameFrom, problemOfPathName } from '../../../addresses/path-name.js'
import type { User } from '../../access/caller.js'
import { createUser } from '../../accounts/users/account/create-user.js'
import { isEmailTaken, isPathTaken } from '../../accounts/users/store.js'
import type { Database } from '../../database/connect.js'
import { ApiError } from '../../http/errors.js'
import type { ProvenIdentity, Provider } from './provider.js'

/** Usernames that are tried: `mary`, `mary2` and so on, and then one with a random end. */
const MAX_NUMBERED = 20
/** Longest username that is made from a claim, in characters; a number may follow. */
const MAX_LENGTH = 100
/** How often another username is tried when a request at the same time takes it. */
const MAX_ATTEMPTS = 3

/**
 * Creates the account of an identity, and gives it the identity. The address is confirmed if the provider has verified
 * it. Throws 400 for an address that the instance does not allow, and 409 if the address is taken.
 */
export async function createAccountOf(
  database: Database,
  { name: provider, rules }: Pick<Provider, 'name' | 'rules'>,
  identity: ProvenIdentity & { email: string },
): Promise<User> {
  for (let attempt = 1; ; attempt++) {
    const username = await freeUsername(database, identity)
    try {
      return await createUser(
        database,
        {
          username,
          name: identity.name ?? username,
          email: identity.email,
          provider,
          extern_uid: identity.subject,
          ...(rules.newAccountsExternal && { external: true }),
        },
        undefined,
        {
          state: rules.newAccountsApproval ? 'blocked_pending_approval' : 'active',
          confirmsAddress: !identity.isEmailVerified,
          isAddressProven: identity.isEmailVerified,
        },
      )
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409
      if (!isTaken || attempt === MAX_ATTEMPTS || (await isEmailTaken(database, identity.email))) throw error
    }
  }
}

/** A username like that of the claims which no user and no group has. */
async function freeUsername(database: Database, identity: ProvenIdentity): Promise<string> {
  const base = usernameFrom(identity)
  for (let number = 1; number <= MAX_NUMBERED; number++) {
    const name = number === 1 ? base : `${base}${number}`
    if (problemOfPathName(name, 'top') === undefined && !(await isPathTaken(database, name))) return name
  }
  return `${base}-${randomBytes(4).toString('hex')}`
}

/** The part before the `@` of an address, as text of a path. */
export function usernameFrom({ username, email, name }: ProvenIdentity): string {
  for (const claim of [username, email, name]) {
    const path = pathNameFrom(claim?.split('@')[0] ?? '')
      .slice(0, MAX_LENGTH)
      .replace(/[.-]+$/, '')
    if (path !== '' && /^[a-z0-9_]/.test(path)) return path.replace(/\.(git|atom|lock|wiki)$/, '')
  }
  return 'user'
}
