import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText } from '../../http/parameters/types.js'

const LimitedTo = Type.Object({
  id: described(Type.Integer(), 'ID of the project.'),
  path_with_namespace: described(
    NullableText,
    'Full path of the project; null if it was deleted, or if the caller may not see it.',
  ),
})

/** An application to which the current user has granted access. */
export const AuthorizedApplication = Type.Object({
  id: described(Type.Integer(), 'ID of the application.'),
  application_name: described(Type.String(), 'Name of the application.'),
  scopes: described(Type.Array(Type.String()), 'Scopes that it was granted.'),
  projects: described(
    Nullable(Type.Array(LimitedTo)),
    'Projects that its access is limited to; null if it is not limited to projects.',
  ),
  authorized_at: described(DateTime(), 'Time of the latest grant.'),
  token_issued_at: described(DateTime(), 'Time at which it got its latest token.'),
})
export type AuthorizedApplication = Static<typeof AuthorizedApplication>

export const AuthorizedApplicationId = Type.Object({
  application_id: described(Type.Integer({ minimum: 1 }), 'ID of the application.'),
})
