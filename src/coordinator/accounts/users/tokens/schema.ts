import { type Static, Type } from 'typebox'

import { RESOURCE_SCOPES, SCOPES, SELF_SERVICE_SCOPES } from '../../../http/authentication/scopes.js'
import { described } from '../../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'

const tokenFields = {
  id: described(Type.Integer(), 'Number of the token.'),
  name: described(Type.String(), 'What it is for.'),
  description: described(NullableText, 'More about what it is for; null = nothing.'),
  revoked: described(Type.Boolean(), 'It was taken back.'),
  created_at: described(DateTime(), 'When it was made.'),
  scopes: described(Type.Array(Type.String()), 'What it may be used for.'),
  user_id: described(Type.Integer(), 'Number of the user whose rights it has.'),
  last_used_at: described(Nullable(DateTime()), 'When it was last used, kept to ten minutes; null = never.'),
  active: described(Type.Boolean(), 'It is neither revoked nor expired.'),
  expires_at: described(Nullable(DateOnly()), 'First day on which it is of no use; null = never.'),
}

export const TokenRecord = Type.Object({
  ...tokenFields,
  impersonation: described(
    Type.Optional(Type.Literal(true)),
    'An administrator acts as the user with it; absent from other tokens.',
  ),
  access_level: described(
    Type.Optional(Type.Integer()),
    'Level of a project or group token: 10, 20, 30, 40 or 50; absent from other tokens.',
  ),
})
export type TokenRecord = Static<typeof TokenRecord>

const Secret = described(Type.String(), 'The token itself, which is shown this once.')

/** The one answer that shows the token itself. */
export const NewTokenRecord = Type.Object({ ...TokenRecord.properties, token: Secret })
export type NewTokenRecord = Static<typeof NewTokenRecord>

const Name = described(Type.String({ minLength: 1, maxLength: 255 }), 'What it is for.')
const Description = described(
  Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  'More about what it is for.',
)
const Scopes = described(Type.Array(OneOf(...SCOPES)), 'What it may be used for; at least one.')
const ExpiresAt = described(
  Type.Optional(Nullable(DateOnly())),
  'First day on which it is of no use, in the future; default never.',
)
const UserNumber = described(Type.Integer(), 'Number of the user.')

/** What every kind of new token takes. */
export const newTokenParameters = {
  name: Name,
  description: Description,
  scopes: Scopes,
  expires_at: ExpiresAt,
}

export const CreateToken = Type.Object({ user_id: UserNumber, ...newTokenParameters })
export type CreateToken = Static<typeof CreateToken>

export const CreateOwnToken = Type.Object({
  name: Name,
  description: Description,
  scopes: described(
    Type.Array(OneOf(...SELF_SERVICE_SCOPES)),
    'What it may be used for; more than these only administrators give.',
  ),
  expires_at: ExpiresAt,
})

const filters = {
  state: described(Type.Optional(OneOf('active', 'inactive')), 'Only tokens of use, or of none.'),
  revoked: described(Type.Optional(Type.Boolean()), 'Only those that were taken back, or were not.'),
  search: described(Type.Optional(Type.String()), 'Part of the name.'),
  created_after: described(Type.Optional(DateTime()), 'Only those made later.'),
  created_before: described(Type.Optional(DateTime()), 'Only those made earlier.'),
  last_used_after: described(Type.Optional(DateTime()), 'Only those last used later.'),
  last_used_before: described(Type.Optional(DateTime()), 'Only those last used earlier.'),
  expires_after: described(Type.Optional(DateOnly()), 'Only those that expire on a later day.'),
  expires_before: described(Type.Optional(DateOnly()), 'Only those that expire on an earlier day.'),
  sort: described(
    Type.Optional(
      OneOf(
        ...(['created_asc', 'created_desc', 'expires_asc', 'expires_desc'] as const),
        ...(['last_used_asc', 'last_used_desc', 'name_asc', 'name_desc'] as const),
      ),
    ),
    'Order of the list; default by number, oldest first.',
  ),
}

export const FilterTokens = Type.Object(filters)
export type FilterTokens = Static<typeof FilterTokens>

export const ListTokens = Type.Object({
  user_id: described(
    Type.Optional(Type.Integer()),
    'Only tokens of this user; of others administrators alone may ask.',
  ),
  ...filters,
})
export type ListTokens = Static<typeof ListTokens>

export const TokenId = Type.Object({ id: described(Type.Integer(), 'Number of the token.') })

const NewExpiry = described(
  Type.Optional(DateOnly()),
  'First day on which the new token is of no use, in the future; default in a week.',
)
export const RotateToken = Type.Object({ ...TokenId.properties, expires_at: NewExpiry })
export const RotateSelf = Type.Object({ expires_at: NewExpiry })

export const ListImpersonationTokens = Type.Object({
  user_id: UserNumber,
  state: described(
    Type.Optional(OneOf('all', 'active', 'inactive')),
    'Only tokens of use, or of none; default `all`.',
  ),
})
export type ListImpersonationTokens = Static<typeof ListImpersonationTokens>

export const ImpersonationTokenId = Type.Object({
  user_id: UserNumber,
  impersonation_token_id: described(Type.Integer(), 'Number of the token.'),
})

export const CreateResourceToken = Type.Object({
  name: Name,
  description: Description,
  scopes: described(Type.Array(OneOf(...RESOURCE_SCOPES)), 'What it may be used for; at least one.'),
  access_level: described(
    Type.Optional(Type.Union([10, 20, 30, 40, 50].map((level) => Type.Literal(level)))),
    'Level of its bot there: 10, 20, 30, 40 or 50, no more than that of the caller; default 40.',
  ),
  expires_at: ExpiresAt,
})

export const ResourceTokenId = Type.Object({ token_id: described(Type.Integer(), 'Number of the token.') })
export const RotateResourceToken = Type.Object({ ...ResourceTokenId.properties, expires_at: NewExpiry })
