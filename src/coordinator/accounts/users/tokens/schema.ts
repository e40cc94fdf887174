import { type Static, Type } from 'typebox'

import { RESOURCE_SCOPES, SCOPES } from '../../../http/authentication/scopes.js'
import { described } from '../../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'

const tokenFields = {
  id: described(Type.Integer(), 'ID of the token.'),
  name: described(Type.String(), 'Name of the token.'),
  description: described(NullableText, 'Description of the token; null if there is none.'),
  revoked: described(Type.Boolean(), 'Whether the token was revoked.'),
  created_at: described(DateTime(), 'Time of creation.'),
  scopes: described(Type.Array(Type.String()), 'Scopes of the token.'),
  user_id: described(Type.Integer(), 'ID of the user of the token.'),
  last_used_at: described(
    Nullable(DateTime()),
    'Time of the last use, accurate to ten minutes; null if it was never used.',
  ),
  active: described(Type.Boolean(), 'Whether the token is neither revoked nor expired.'),
  expires_at: described(
    Nullable(DateOnly()),
    'Expiry date, the first day on which the token is invalid; null if it does not expire.',
  ),
}

export const TokenRecord = Type.Object({
  ...tokenFields,
  impersonation: described(
    Type.Optional(Type.Literal(true)),
    'Whether an administrator impersonates the user with the token; absent from other tokens.',
  ),
  access_level: described(
    Type.Optional(Type.Integer()),
    'Access level of a project or group token: 10, 20, 30, 40 or 50; absent from other tokens.',
  ),
})
export type TokenRecord = Static<typeof TokenRecord>

const Secret = described(Type.String(), 'The token; shown only once.')

/** The only response that contains the token itself. */
export const NewTokenRecord = Type.Object({ ...TokenRecord.properties, token: Secret })
export type NewTokenRecord = Static<typeof NewTokenRecord>

const Name = described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the token.')
const Description = described(
  Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  'Description of the token.',
)
const Scopes = described(Type.Array(OneOf(...SCOPES)), 'Scopes of the token; at least one.')
const ExpiresAt = described(
  Type.Optional(Nullable(DateOnly())),
  'Expiry date in the future, the first day on which the token is invalid; by default the token does not expire.',
)
const UserNumber = described(Type.Integer(), 'ID of the user.')

/** Parameters of all kinds of new tokens. */
const newTokenParameters = {
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
    Type.Array(OneOf(...SCOPES)),
    'Scopes of the token. Only a browser session creates tokens with others than `k8s_proxy` and `self_rotate`.',
  ),
  expires_at: ExpiresAt,
})

const filters = {
  state: described(
    Type.Optional(OneOf('active', 'inactive')),
    'Whether to return only active tokens, or only inactive ones.',
  ),
  revoked: described(
    Type.Optional(Type.Boolean()),
    'Whether to return only revoked tokens, or only those that are not.',
  ),
  search: described(Type.Optional(Type.String()), 'Part of the name to search for.'),
  created_after: described(Type.Optional(DateTime()), 'Earliest creation time.'),
  created_before: described(Type.Optional(DateTime()), 'Latest creation time.'),
  last_used_after: described(Type.Optional(DateTime()), 'Earliest time of the last use.'),
  last_used_before: described(Type.Optional(DateTime()), 'Latest time of the last use.'),
  expires_after: described(Type.Optional(DateOnly()), 'Earliest expiry date.'),
  expires_before: described(Type.Optional(DateOnly()), 'Latest expiry date.'),
  sort: described(
    Type.Optional(
      OneOf(
        ...(['created_asc', 'created_desc', 'expires_asc', 'expires_desc'] as const),
        ...(['last_used_asc', 'last_used_desc', 'name_asc', 'name_desc'] as const),
      ),
    ),
    'Sort order; by ID, the oldest first, by default.',
  ),
}

export const FilterTokens = Type.Object(filters)
export type FilterTokens = Static<typeof FilterTokens>

export const ListTokens = Type.Object({
  user_id: described(
    Type.Optional(Type.Integer()),
    'ID of the user to filter by; other users than the caller require an administrator.',
  ),
  ...filters,
})
export type ListTokens = Static<typeof ListTokens>

export const TokenId = Type.Object({ id: described(Type.Integer(), 'ID of the token.') })

const NewExpiry = described(
  Type.Optional(DateOnly()),
  'Expiry date of the new token, in the future; default in one week.',
)
export const RotateToken = Type.Object({ ...TokenId.properties, expires_at: NewExpiry })
export const RotateSelf = Type.Object({ expires_at: NewExpiry })

export const ListImpersonationTokens = Type.Object({
  user_id: UserNumber,
  state: described(
    Type.Optional(OneOf('all', 'active', 'inactive')),
    'Whether to return only active tokens, or only inactive ones; default `all`.',
  ),
})
export type ListImpersonationTokens = Static<typeof ListImpersonationTokens>

export const ImpersonationTokenId = Type.Object({
  user_id: UserNumber,
  impersonation_token_id: described(Type.Integer(), 'ID of the token.'),
})

export const CreateResourceToken = Type.Object({
  name: Name,
  description: Description,
  scopes: described(Type.Array(OneOf(...RESOURCE_SCOPES)), 'Scopes of the token; at least one.'),
  access_level: described(
    Type.Optional(Type.Union([10, 20, 30, 40, 50].map((level) => Type.Literal(level)))),
    'Access level of the bot: 10, 20, 30, 40 or 50, at most that of the caller; default 40.',
  ),
  expires_at: ExpiresAt,
})

export const ResourceTokenId = Type.Object({ token_id: described(Type.Integer(), 'ID of the token.') })
export const RotateResourceToken = Type.Object({ ...ResourceTokenId.properties, expires_at: NewExpiry })
