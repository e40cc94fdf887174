import { Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'

export const ScimToken = Type.Object({
  provider: described(Type.String(), 'Name of the identity provider.'),
  created_by_id: described(
    Nullable(Type.Integer()),
    'ID of the administrator who created it; null if deleted.',
  ),
  created_at: described(Type.String(), 'Time of creation.'),
  last_used_at: described(
    Nullable(Type.String()),
    'Time of the last use, with a precision of ten minutes; null if never used.',
  ),
})

export const NewScimToken = Type.Object({
  ...ScimToken.properties,
  token: described(Type.String(), 'The token, which is shown only once.'),
})

export const ProviderOfToken = Type.Object({
  provider: described(Type.String(), 'Name of the identity provider.'),
})
