import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { DateTime, Nullable } from '../../../http/parameters/types.js'

/** An e-mail address of a user besides the primary one. */
export const Email = Type.Object({
  id: described(Type.Integer(), 'ID of the e-mail address.'),
  email: described(Type.String(), 'E-mail address.'),
  confirmed_at: described(Nullable(DateTime()), 'Time of the confirmation; null if it is not confirmed.'),
})
export type Email = Static<typeof Email>
