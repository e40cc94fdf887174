import { type Static, Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { described } from '../parameters/described.js'
import { Nullable } from '../parameters/types.js'
import { userAvatarUrl } from './avatar-url.js'

/** A user as everyone sees it, and as other records embed it. */
export const PublicUser = Type.Object({
  id: described(Type.Integer(), 'Number of the user.'),
  username: described(Type.String(), 'Name in addresses and mentions; unique.'),
  name: described(Type.String(), 'Full name.'),
  state: described(
    Type.String(),
    'State: `active`, `blocked`, `ldap_blocked` (gone at a directory), `banned`, `deactivated` or `blocked_pending_approval`; only active users have access.',
  ),
  avatar_url: described(Nullable(Type.String()), 'URL of the avatar; null if there is none.'),
  web_url: described(Type.String(), "Address of the user's page."),
})
export type PublicUser = Static<typeof PublicUser>

export function presentUser(user: User, externalUrl: string): PublicUser {
  const { id, username, name, state } = user
  return {
    id,
    username,
    name,
    state,
    avatar_url: userAvatarUrl(user, externalUrl),
    web_url: `${externalUrl}/${username}`,
  }
}
