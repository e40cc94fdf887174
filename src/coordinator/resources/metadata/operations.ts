import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { Nullable } from '../../http/parameters/types.js'
import { API_VERSION, VERSION } from '../../http/version.js'

const Metadata = Type.Object({
  version: Type.String(),
  revision: Type.String(),
  kas: Type.Object({
    enabled: Type.Boolean(),
    externalUrl: Nullable(Type.String()),
    externalKubernetesProxyUrl: Nullable(Type.String()),
    version: Nullable(Type.String()),
  }),
  enterprise: Type.Boolean(),
})

const METADATA = {
  version: API_VERSION,
  revision: `switchyard-${VERSION}`,
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
