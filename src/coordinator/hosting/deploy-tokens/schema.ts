import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, NullableText, OneOf } from '../../http/parameters/types.js'

/** What a deploy token may be given; of these only `read_repository` opens anything here. */
export const DEPLOY_SCOPES = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const

/** API, A13. */
export const DeployToken = Type.Object({
  id: Type.Integer({ description: 'Number of the token' }),
  name: Type.String({ description: 'What people call it' }),
  username: Type.String({ description: 'User name that git is given with it' }),
  expires_at: described(NullableText, 'When it ends, ISO 8601 UTC; null = never'),
  scopes: Type.Array(Type.String(), { description: 'What it may do' }),
  revoked: Type.Boolean({ description: 'Whether it was revoked' }),
  expired: Type.Boolean({ description: 'Whether it has ended' }),
})
export type DeployToken = Static<typeof DeployToken>

/** With the token itself, which is told this once. */
export const NewDeployToken = Type.Object({
  ...DeployToken.properties,
  token: Type.String({ description: 'The token, which is told only now' }),
})
export type NewDeployToken = Static<typeof NewDeployToken>

export const ListDeployTokens = Type.Object({
  active: Type.Optional(
    Type.Boolean({ description: 'true: only tokens that can be used; false: only those that ended' }),
  ),
})
export type ListDeployTokens = Static<typeof ListDeployTokens>

export const CreateDeployToken = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, description: 'What people call it' }),
  scopes: Type.Array(OneOf(...DEPLOY_SCOPES), {
    description: 'What it may do; read_repository to clone and fetch',
  }),
  expires_at: Type.Optional(described(DateTime(), 'When it ends, ISO 8601; default never')),
  username: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'User name that git is given; default gitlab+deploy-token-<number>',
    }),
  ),
})
export type CreateDeployToken = Static<typeof CreateDeployToken>

export const DeployTokenId = Type.Object({ token_id: Type.Integer({ description: 'Number of the token' }) })
