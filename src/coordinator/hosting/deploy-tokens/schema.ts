import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, NullableText, OneOf } from '../../http/parameters/types.js'

/** Scopes of a deploy token; only `read_repository` has an effect here. */
const DEPLOY_SCOPES = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const

/** API, A13. */
export const DeployToken = Type.Object({
  id: Type.Integer({ description: 'ID of the token' }),
  name: Type.String({ description: 'Name of the token' }),
  username: Type.String({ description: 'Username for git' }),
  expires_at: described(NullableText, 'Expiry time, ISO 8601 UTC; null if it does not expire'),
  scopes: Type.Array(Type.String(), { description: 'Scopes of the token' }),
  revoked: Type.Boolean({ description: 'Whether the token was revoked' }),
  expired: Type.Boolean({ description: 'Whether the token has expired' }),
})
export type DeployToken = Static<typeof DeployToken>

/** A new deploy token with its secret, which is shown only once. */
export const NewDeployToken = Type.Object({
  ...DeployToken.properties,
  token: Type.String({ description: 'The token; shown only once' }),
})
export type NewDeployToken = Static<typeof NewDeployToken>

export const ListDeployTokens = Type.Object({
  active: Type.Optional(
    Type.Boolean({ description: 'true: only active tokens; false: only expired tokens' }),
  ),
})
export type ListDeployTokens = Static<typeof ListDeployTokens>

export const CreateDeployToken = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the token' }),
  scopes: Type.Array(OneOf(...DEPLOY_SCOPES), {
    description: 'Scopes of the token; read_repository allows clone and fetch',
  }),
  expires_at: Type.Optional(
    described(DateTime(), 'Expiry time, ISO 8601; by default the token does not expire'),
  ),
  username: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Username for git; default gitlab+deploy-token-<id>',
    }),
  ),
})
export type CreateDeployToken = Static<typeof CreateDeployToken>

export const DeployTokenId = Type.Object({ token_id: Type.Integer({ description: 'ID of the token' }) })
