import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'

export const OwnIdentity = Type.Object({
  provider: described(Type.String(), 'Name of the identity provider.'),
  label: described(Type.String(), 'Name that users read.'),
  extern_uid: described(
    Nullable(Type.String()),
    'ID of the current user at the provider; null if the account is not linked.',
  ),
})
export type OwnIdentity = Static<typeof OwnIdentity>

export const ProviderName = Type.Object({
  provider: described(Type.String(), 'Name of the identity provider.'),
})
