import type { Selectable } from 'kysely'

import type { User } from '../../http/operation.js'
import { isoDateOrNull, isoTime } from '../../http/present-time.js'
import { presentUser as presentPublicUser } from '../../http/present-user.js'
import type { FullUser, TokenRecord, UserProfile } from './schema.js'
import type { PersonalAccessTokenTable } from './table.js'

export function presentProfile(user: User, baseUrl: string): UserProfile {
  return {
    ...presentPublicUser(user, baseUrl),
    created_at: isoTime(user.created_at),
    bio: null,
    location: null,
    public_email: null,
    skype: null,
    linkedin: null,
    twitter: null,
    website_url: null,
    organization: null,
  }
}

export function presentFullUser(user: User, viewer: User, baseUrl: string): FullUser {
  return {
    ...presentProfile(user, baseUrl),
    email: user.email,
    ...(viewer.is_admin ? { is_admin: user.is_admin } : {}),
    last_sign_in_at: null,
    confirmed_at: isoTime(user.created_at),
    current_sign_in_at: null,
    theme_id: 1,
    last_activity_on: null,
    color_scheme_id: 1,
    projects_limit: 100_000,
    identities: [],
    can_create_group: true,
    can_create_project: true,
    two_factor_enabled: false,
    external: false,
    private_profile: false,
    commit_email: user.email,
    locked: false,
    bot: false,
  }
}

/** Everyone sees all of themselves, administrators all of everyone. */
export function presentUser(user: User, viewer: User, baseUrl: string): FullUser | UserProfile {
  const mayKnowAll = viewer.is_admin || viewer.id === user.id
  return mayKnowAll ? presentFullUser(user, viewer, baseUrl) : presentProfile(user, baseUrl)
}

export function presentToken(row: Selectable<PersonalAccessTokenTable>): TokenRecord {
  const { id, name, revoked, scopes, user_id } = row
  return {
    id,
    name,
    revoked,
    created_at: isoTime(row.created_at),
    scopes,
    user_id,
    last_used_at: null, // keeping it would be a write for every request
    active: !revoked && (row.expires_at === null || row.expires_at > Date.now()),
    expires_at: isoDateOrNull(row.expires_at),
  }
}
