import { type Static, Type } from 'typebox'

import type { User } from './operation.js'

/** A user as everyone sees it, and as other records embed it. */
export const PublicUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.String(),
  avatar_url: Type.Union([Type.String(), Type.Null()]),
  web_url: Type.String(),
})
export type PublicUser = Static<typeof PublicUser>

export function presentUser({ id, username, name, state }: User, externalUrl: string): PublicUser {
  return { id, username, name, state, avatar_url: null, web_url: `${externalUrl}/${username}` }
}
