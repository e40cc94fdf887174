import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'
import { API_VERSION, REVISION } from '../../http/version.js'

const Metadata = Type.Object({
  version: described(Type.String(), 'Version of the API, by which clients tell what it offers.'),
  revision: described(Type.String(), 'What is running: Switchyard and its own version.'),
  kas: described(
    Type.Object({
      enabled: described(Type.Boolean(), 'Whether there is a server for agents in clusters; there is none.'),
      externalUrl: described(Nullable(Type.String()), 'Its address; null = none.'),
      externalKubernetesProxyUrl: described(Nullable(Type.String()), 'Address of its proxy; null = none.'),
      version: described(Nullable(Type.String()), 'Its version; null = none.'),
    }),
    'The server for agents in clusters.',
  ),
  enterprise: described(Type.Boolean(), 'Whether it is an edition with more features; it is not.'),
})

const METADATA = {
  version: API_VERSION,
  revision: REVISION,
  kas: { enabled: false, externalUrl: null, externalKubernetesProxyUrl: null, version: null },
  enterprise: false,
}

export function metadataOperations(): Operation[] {
  return [
    operation('GET /version', {
      summary: 'Version of the API',
      access: 'user',
      scopes: ['read_user'],
      answers: { 200: Metadata },
      run: async () => METADATA,
    }),
    operation('GET /metadata', {
      summary: 'Version of the API and what it offers',
      access: 'user',
      scopes: ['read_user'],
      answers: { 200: Metadata },
      run: async () => METADATA,
    }),
  ]
}
