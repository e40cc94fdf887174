import { LEVELS } from '../../../access/permissions.js'
import { userAvatarUrl } from '../../../http/presenters/avatar-url.js'
import type { GroupOfUser, Person } from './store.js'

/** What a client is told of a user, as JSON. What there is none of is left out (OpenID Connect Core 1.0, 5.3.2). */
export type Claims = Record<string, string | number | boolean | string[]>

/** Beside those of every id token; see `profileClaims`, `id-token.ts` and `user-info.ts`. */
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
  [LEVELS.owner, 'https://gitlab.org/claims/groups/owner'],
  [LEVELS.maintainer, 'https://gitlab.org/claims/groups/maintainer'],
  [LEVELS.developer, 'https://gitlab.org/claims/groups/developer'],
] as const

/** The name by which clients know a user for good (OpenID Connect Core 1.0, 5.7): user names change. */
export function subjectOf(userId: number): string {
  return String(userId)
}

/**
 * What `openid` alone tells, as in the reference ("GitLab as OpenID Connect identity provider", Shared information); only
 * the primary address takes `email`, without which it is the public one, if there is one.
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
 * Administrators set the primary address. Others people add themselves, and no mail proves that they are theirs: a client
 * that knows its users by their addresses must not take them for somebody else.
 */
function emailClaims({ email, public_email, confirmed_at }: Person, scopes: readonly string[]): Claims {
  const shown = scopes.includes('email') ? email : public_email
  return shown === null ? {} : { email: shown, email_verified: shown === email && confirmed_at !== null }
}

/** In which groups somebody has which role; a role that they have nowhere is left out. */
export function roleClaims(groups: readonly GroupOfUser[]): Claims {
  const claims = GROUPS_BY_LEVEL.map(([level, claim]) => {
    const paths = groups.filter(({ access_level }) => access_level === level).map((group) => group.full_path)
    return [claim, paths] as const
  })
  return Object.fromEntries(claims.filter(([, paths]) => paths.length > 0))
}
