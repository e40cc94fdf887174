import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'
import { API_VERSION, REVISION } from '../../http/version.js'

const Metadata = Type.Object({
  version: described(
    Type.String(),
    'Version of the API, which clients compare with the features that they need.',
  ),
  revision: described(Type.String(), 'Name and version of the server software.'),
  kas: described(
    Type.Object({
      enabled: described(
        Type.Boolean(),
        'Whether an agent server for Kubernetes is available; always false.',
      ),
      externalUrl: described(Nullable(Type.String()), 'URL of the agent server; null if there is none.'),
      externalKubernetesProxyUrl: described(
        Nullable(Type.String()),
        'URL of the Kubernetes proxy; null if there is none.',
      ),
      version: described(Nullable(Type.String()), 'Version of the agent server; null if there is none.'),
    }),
    'Agent server for Kubernetes.',
  ),
  enterprise: described(Type.Boolean(), 'Whether this is an enterprise edition; always false.'),
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
      summary: 'Get the version of the API',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Metadata },
      run: async () => METADATA,
    }),
    operation('GET /metadata', {
      summary: 'Get the metadata of the instance',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Metadata },
      run: async () => METADATA,
    }),
  ]
}
