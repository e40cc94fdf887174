import { type Static, Type } from 'typebox'

import { Nullable, NullableText } from './parameters/types.js'
import { PublicUser } from './present-user.js'

/** What a deployment says of the place it is in. */
export const EnvironmentBrief = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  external_url: NullableText,
})
export type EnvironmentBrief = Static<typeof EnvironmentBrief>

/** A deployment (seed 1, "Deployment and environment"). */
export const Deployment = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  ref: Type.String(),
  sha: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  status: Type.String(),
  user: Nullable(PublicUser),
  environment: EnvironmentBrief,
  /** The record of its job; null = it was told of through the API, or the job is deleted. */
  deployable: Type.Unknown(),
})
export type Deployment = Static<typeof Deployment>
