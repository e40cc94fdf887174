import { Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

export const TransferProject = Type.Object({
  namespace: described(Type.String(), 'Number or address of the namespace that it moves to.'),
})

export const SearchUsers = Type.Object({
  search: described(Type.Optional(Type.String()), 'Only those with this in their names.'),
})

export const Starrer = Type.Object({
  starred_since: described(DateTime(), 'When the user has starred it.'),
  user: described(PublicUser, 'Who has starred it.'),
})
