import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import { userAvatarUrl } from '../../../http/presenters/avatar-url.js'
import type { GroupOfUser, Person } from './store.js'

/** Claims about a user, as JSON. Claims without a value are left out (OpenID Connect Core 1.0, 5.3.2). */
export type Claims = Record<string, string | number | boolean | string[]>

/** Claims besides those of every ID token; see `profileClaims`, `id-token.ts` and `user-info.ts`. */
export const CLAIMS = [
  'sub',
  'name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'website',
  'profile',
  'picture',
  'groups',
  'groups_direct',
]

const GROUPS_BY_LEVEL = [
  [ACCESS_LEVELS.owner, 'https://gitlab.org/claims/groups/owner'],
  [ACCESS_LEVELS.maintainer, 'https://gitlab.org/claims/groups/maintainer'],
  [ACCESS_LEVELS.developer, 'https://gitlab.org/claims/groups/developer'],
] as const

/** Permanent identifier of a user for clients (OpenID Connect Core 1.0, 5.7); usernames may change. */
export function subjectOf(userId: number): string {
  return String(userId)
}

/**
 * Claims for the scope `openid`, as in the reference ("GitLab as OpenID Connect identity provider", Shared
 * information). The primary e-mail address requires the scope `email`; without it, the claim has the public
 * address, if any.
 */
export function profileClaims(person: Person, scopes: readonly string[], externalUrl: string): Claims {
  const { name, username, website_url } = person
  const picture = userAvatarUrl(person, externalUrl)
  return {
    name,
    nickname: username,
    preferred_username: username,
    ...emailClaims(person, scopes),
    ...(website_url !== null && { website: website_url }),
    profile: `${externalUrl}/${username}`,
    ...(picture !== null && { picture }),
  }
}

/**
 * Primary addresses are set by administrators. Other addresses are added by users and not verified by e-mail.
 * A client that identifies users by address must not mistake one user for another.
 */
function emailClaims({ email, public_email, confirmed_at }: Person, scopes: readonly string[]): Claims {
  const shown = scopes.includes('email') ? email : public_email
  return shown === null ? {} : { email: shown, email_verified: shown === email && confirmed_at !== null }
}

/** Groups of a user by role; roles without groups are left out. */
export function roleClaims(groups: readonly GroupOfUser[]): Claims {
  const claims = GROUPS_BY_LEVEL.map(([level, claim]) => {
    const paths = groups.filter(({ access_level }) => access_level === level).map((group) => group.full_path)
    return [claim, paths] as const
  })
  return Object.fromEntries(claims.filter(([, paths]) => paths.length > 0))
}
