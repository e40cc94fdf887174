import { type Static, Type } from 'typebox'

import { DateTime, Nullable, NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/present-user.js'

/** A trigger token (API gaps, I2). */
export const Trigger = Type.Object({
  id: Type.Integer(),
  /** Whole for its owner; the first characters for others. */
  token: Type.String(),
  description: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  last_used: NullableText,
  expires_at: NullableText,
  owner: Nullable(PublicUser),
})
export type Trigger = Static<typeof Trigger>

export const TriggerId = Type.Object({ trigger_id: Type.Integer() })

const Description = Type.String({ minLength: 1, maxLength: 255 })

export const NewTrigger = Type.Object({
  description: Description,
  expires_at: Type.Optional(Nullable(DateTime())),
})
export type NewTrigger = Static<typeof NewTrigger>

export const EditTrigger = Type.Object({
  ...TriggerId.properties,
  description: Type.Optional(Description),
})
