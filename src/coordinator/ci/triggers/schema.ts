import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** A trigger token (API, I2). */
export const Trigger = Type.Object({
  id: described(Type.Integer(), 'Number of the trigger token.'),
  token: described(Type.String(), 'The token, whole for its owner; the first characters for others.'),
  description: described(Type.String(), 'What it is for.'),
  created_at: described(Type.String(), 'When it was made.'),
  updated_at: described(Type.String(), 'When it was last changed.'),
  last_used: described(NullableText, 'When it last started a pipeline; null = never.'),
  expires_at: described(NullableText, 'When it ends; null = never.'),
  owner: described(
    Nullable(PublicUser),
    'The user with whose rights its pipelines run; null when the account is gone.',
  ),
})
export type Trigger = Static<typeof Trigger>

export const TriggerId = Type.Object({
  trigger_id: described(Type.Integer(), 'Number of the trigger token.'),
})

const Description = Type.String({ minLength: 1, maxLength: 255 })

export const NewTrigger = Type.Object({
  description: described(Description, 'What it is for.'),
  expires_at: described(Type.Optional(Nullable(DateTime())), 'When it is to end; null or absent = never.'),
})
export type NewTrigger = Static<typeof NewTrigger>

export const EditTrigger = Type.Object({
  ...TriggerId.properties,
  description: described(Type.Optional(Description), 'What it is for; absent = as before.'),
})
