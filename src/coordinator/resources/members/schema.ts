import { type Static, Type } from 'typebox'

import { DateOnly, DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/present-user.js'

export const Member = Type.Object({
  ...PublicUser.properties,
  access_level: Type.Integer(),
  expires_at: Nullable(DateOnly()),
  created_at: DateTime(),
  membership_state: Type.String(),
})
export type Member = Static<typeof Member>

export const ListMembers = Type.Object({
  query: Type.Optional(Type.String()),
  user_ids: Type.Optional(Type.Array(Type.Integer())),
})
export type ListMembers = Static<typeof ListMembers>

export const MemberId = Type.Object({ user_id: Type.Integer() })

export const AddMember = Type.Object({
  /** One id, or several with commas. */
  user_id: Type.Optional(Type.String({ minLength: 1 })),
  username: Type.Optional(Type.String({ minLength: 1 })),
  access_level: Type.Integer(),
  expires_at: Type.Optional(Nullable(DateOnly())),
})
export type AddMember = Static<typeof AddMember>

export const EditMember = Type.Object({
  user_id: Type.Integer(),
  access_level: Type.Integer(),
  expires_at: Type.Optional(Nullable(DateOnly())),
})

/** Answer to several ids at once. */
export const MembersAdded = Type.Object({
  status: OneOf('success', 'error'),
  message: Type.Optional(Type.Record(Type.String(), Type.String())),
})
export type MembersAdded = Static<typeof MembersAdded>
