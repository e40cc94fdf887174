import { DAY, MINUTE } from '../../lib/time-units.js'
import { newToken, tokenDigest } from '../../lib/tokens.js'
import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { findSignInLink, insertSignInLink, type SignInLink } from '../database/stores/web-session-store.js'

/** Lifetimes of links, in milliseconds. */
const OWN_LIFE = 5 * MINUTE
const LIFE_BY_ADMINISTRATOR = DAY

export interface NewSignInLink {
  user: Pick<User, 'id'>
  /** Whether an administrator makes it for the user. */
  isByAdministrator: boolean
  /** The personal access token with which the link and its session end. */
  personalTokenId: number | null
}

/** Creates a link and returns its URL, which is not stored. `expiresAt` is in milliseconds since 1970. */
export async function createSignInLink(
  { database, externalUrl }: { database: Database; externalUrl: string },
  { user, isByAdministrator, personalTokenId }: NewSignInLink,
): Promise<{ url: string; expiresAt: number }> {
  const token = newToken()
  const now = Date.now()
  const expiresAt = now + (isByAdministrator ? LIFE_BY_ADMINISTRATOR : OWN_LIFE)
  await insertSignInLink(database, {
    user_id: user.id,
    digest: tokenDigest(token),
    personal_token_id: personalTokenId,
    is_by_administrator: isByAdministrator,
    expires_at: expiresAt,
    created_at: now,
  })
  return { url: `${externalUrl}/users/sign_in/${token}`, expiresAt }
}

/** A link that can be used, with its user. Undefined for any other, and if the user is blocked. */
export async function findUsableLink(
  database: Database,
  token: string,
): Promise<{ link: SignInLink; user: User } | undefined> {
  const link = await findSignInLink(database, tokenDigest(token))
  const user =
    link && (await database.selectFrom('user').selectAll().where('id', '=', link.user_id).executeTakeFirst())
  return link && user?.state === 'active' ? { link, user } : undefined
}
