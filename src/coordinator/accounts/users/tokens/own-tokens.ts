import type { Caller, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { SELF_SERVICE_SCOPES } from '../../../http/authentication/scopes.js'
import { invalidParameters, invalidRecord } from '../../../http/errors.js'
import type { NewTokenRecord } from './schema.js'
import { findToken } from './store.js'
import { createToken, newTokenOf, type WantedToken } from './tokens.js'

const SELF_SERVICE = new Set<string>(SELF_SERVICE_SCOPES)
const FOR_ADMINISTRATORS = new Set(['sudo', 'admin_mode'])

/**
 * Creates a token of the caller. A token creates only ones with the scopes of `SELF_SERVICE_SCOPES`, because a leaked
 * token must not be able to create one with more rights or a longer life. A browser session creates any, unless it was
 * opened by a token: then with at most the scopes and the lifetime of this one. Throws 400.
 */
export async function createOwnToken(
  database: Database,
  { caller, user }: { caller: Caller; user: User },
  wanted: WantedToken,
): Promise<NewTokenRecord> {
  const session = caller.kind === 'user' ? caller.session : undefined
  const others = wanted.scopes.findIndex((scope) => !SELF_SERVICE.has(scope))
  if (!session && others !== -1) throw invalidParameters(`scopes[${others}] does not have a valid value`)
  if (!user.is_admin && wanted.scopes.some((scope) => FOR_ADMINISTRATORS.has(scope))) {
    throw invalidRecord({ scopes: ['can only contain sudo and admin_mode for administrators'] })
  }
  const values = newTokenOf(wanted)
  if (session && session.personalTokenId !== null) {
    await refuseMoreThan(database, session.personalTokenId, values)
  }
  return createToken(database, { ...values, user_id: user.id })
}

async function refuseMoreThan(
  database: Database,
  tokenId: number,
  { scopes, expires_at }: { scopes: string[]; expires_at: number | null },
): Promise<void> {
  const opener = await findToken(database, tokenId)
  const held = new Set<string>([...SELF_SERVICE, ...(opener?.scopes ?? [])])
  if (!scopes.every((scope) => held.has(scope))) {
    throw invalidRecord({ scopes: ['can only contain those of the token with which you signed in'] })
  }
  const end = opener?.expires_at ?? null
  if (end !== null && (expires_at === null || expires_at > end)) {
    throw invalidRecord({ expires_at: ['must not be after that of the token with which you signed in'] })
  }
}
