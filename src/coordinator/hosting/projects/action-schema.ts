import { Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

export const TransferProject = Type.Object({
  namespace: described(Type.String(), 'ID or path of the target namespace.'),
})

export const SearchUsers = Type.Object({
  search: described(Type.Optional(Type.String()), 'Part of the username or name to search for.'),
})

export const Starrer = Type.Object({
  starred_since: described(DateTime(), 'Time at which the user starred the project.'),
  user: described(PublicUser, 'User who starred the project.'),
})
