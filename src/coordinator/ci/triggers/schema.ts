import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** A trigger token (API, I2). */
export const Trigger = Type.Object({
  id: described(Type.Integer(), 'ID of the trigger token.'),
  token: described(Type.String(), 'Token; only its first characters for users other than its owner.'),
  description: described(Type.String(), 'Description.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  last_used: described(NullableText, 'Time of the last use; null if it was never used.'),
  expires_at: described(NullableText, 'Expiry time; null if it does not expire.'),
  owner: described(
    Nullable(PublicUser),
    'Owner, whose permissions the pipelines have; null for a deleted account.',
  ),
})
export type Trigger = Static<typeof Trigger>

export const TriggerId = Type.Object({
  trigger_id: described(Type.Integer(), 'ID of the trigger token.'),
})

const Description = Type.String({ minLength: 1, maxLength: 255 })

export const NewTrigger = Type.Object({
  description: described(Description, 'Description.'),
  expires_at: described(
    Type.Optional(Nullable(DateTime())),
    'Expiry time; null or absent if it does not expire.',
  ),
})
export type NewTrigger = Static<typeof NewTrigger>

export const EditTrigger = Type.Object({
  ...TriggerId.properties,
  description: described(Type.Optional(Description), 'Description; unchanged if absent.'),
})
