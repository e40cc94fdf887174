import { type Static, Type } from 'typebox'

import { SCOPES } from '../../http/authentication/scopes.js'
import {
  DateOnly,
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
} from '../../http/parameters/types.js'
import { PublicUser } from '../../http/present-user.js'

const profileFields = {
  created_at: DateTime(),
  bio: NullableText,
  location: NullableText,
  public_email: NullableText,
  skype: NullableText,
  linkedin: NullableText,
  twitter: NullableText,
  website_url: NullableText,
  organization: NullableText,
}

export const UserProfile = Type.Object({ ...PublicUser.properties, ...profileFields })
export type UserProfile = Static<typeof UserProfile>

/** What administrators see of everyone, and everyone of themselves; `is_admin` for administrators only. */
export const FullUser = Type.Object({
  ...PublicUser.properties,
  ...profileFields,
  email: Type.String(),
  is_admin: Type.Optional(Type.Boolean()),
  last_sign_in_at: Nullable(DateTime()),
  confirmed_at: Nullable(DateTime()),
  current_sign_in_at: Nullable(DateTime()),
  theme_id: Type.Integer(),
  last_activity_on: Nullable(DateOnly()),
  color_scheme_id: Type.Integer(),
  projects_limit: Type.Integer(),
  identities: Type.Array(Type.Unknown()),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  commit_email: Type.String(),
  locked: Type.Boolean(),
  bot: Type.Boolean(),
})
export type FullUser = Static<typeof FullUser>

export const AnyUser = Type.Union([FullUser, UserProfile])

export const ListUsers = Type.Object({
  search: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  active: Type.Optional(Type.Boolean()),
  blocked: Type.Optional(Type.Boolean()),
  created_after: Type.Optional(DateTime()),
  created_before: Type.Optional(DateTime()),
  admins: Type.Optional(Type.Boolean()),
  order_by: Type.Optional(OneOf('id', 'name', 'username', 'created_at', 'updated_at')),
  sort: Type.Optional(SortDirection),
})
export type ListUsers = Static<typeof ListUsers>

/** There is no sign-in by password yet: the three password fields are read, so that clients may send them. */
export const CreateUser = Type.Object({
  email: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  admin: Type.Optional(Type.Boolean()),
  password: Type.Optional(Type.String()),
  reset_password: Type.Optional(Type.Boolean()),
  force_random_password: Type.Optional(Type.Boolean()),
})
export type CreateUser = Static<typeof CreateUser>

export const UserId = Type.Object({ id: Type.Integer() })

const tokenFields = {
  id: Type.Integer(),
  name: Type.String(),
  revoked: Type.Boolean(),
  created_at: DateTime(),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  last_used_at: Nullable(DateTime()),
  active: Type.Boolean(),
  expires_at: Nullable(DateOnly()),
}

export const TokenRecord = Type.Object(tokenFields)
export type TokenRecord = Static<typeof TokenRecord>

/** The one answer that shows the token itself. */
export const NewTokenRecord = Type.Object({ ...tokenFields, token: Type.String() })
export type NewTokenRecord = Static<typeof NewTokenRecord>

export const CreateToken = Type.Object({
  user_id: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  scopes: Type.Array(OneOf(...SCOPES)),
  expires_at: Type.Optional(Nullable(DateOnly())),
})

export const ListTokens = Type.Object({
  user_id: Type.Optional(Type.Integer()),
  state: Type.Optional(OneOf('active', 'inactive')),
  revoked: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String()),
})
export type ListTokens = Static<typeof ListTokens>

export const TokenId = Type.Object({ id: Type.Integer() })
export const RotateToken = Type.Object({ id: Type.Integer(), expires_at: Type.Optional(DateOnly()) })
