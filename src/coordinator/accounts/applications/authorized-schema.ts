import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'

/** An application to which the current user has granted access. */
export const AuthorizedApplication = Type.Object({
  id: described(Type.Integer(), 'ID of the application.'),
  application_name: described(Type.String(), 'Name of the application.'),
  scopes: described(Type.Array(Type.String()), 'Scopes that it was granted.'),
  authorized_at: described(DateTime(), 'Time of the latest grant.'),
  token_issued_at: described(DateTime(), 'Time at which it got its latest token.'),
})
export type AuthorizedApplication = Static<typeof AuthorizedApplication>

export const AuthorizedApplicationId = Type.Object({
  application_id: described(Type.Integer({ minimum: 1 }), 'ID of the application.'),
})
