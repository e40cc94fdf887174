import type { FastifyInstance } from 'fastify'

import type { TokenSigner } from '../../../crypto/token-signer.js'
import { sendJson } from '../../../http/send.js'
import { KEYS_PATH, serverMetadata } from './server-metadata.js'

/**
 * Discovery documents and keys (OpenID Connect Discovery 1.0; RFC 8414; RFC 7517). Other services use them to
 * verify the ID tokens of jobs (CI language, 3.17) and of users, and clients to find the endpoints.
 */
export function discoveryRoutes(signer: TokenSigner): (app: FastifyInstance) => void {
  const document = serverMetadata(signer.issuer)
  return (app) => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      app.get(`/.well-known/${name}`, (_request, reply) => sendJson(reply, 200, document))
    }
    app.get(KEYS_PATH, async (_request, reply) => sendJson(reply, 200, { keys: await signer.publicKeys() }))
  }
}
