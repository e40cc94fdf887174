import type { FastifyInstance } from 'fastify'

import type { TokenSigner } from '../token-signer.js'
import { sendJson } from './send.js'

const KEYS = '/oauth/discovery/keys'

/**
 * What a service needs to check the tokens of jobs (CI language, 3.17): where the keys are, and the keys themselves
 * (OpenID Connect Discovery 1.0; RFC 7517).
 */
export function discoveryRoutes(signer: TokenSigner): (app: FastifyInstance) => void {
  const document = {
    issuer: signer.issuer,
    jwks_uri: `${signer.issuer}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  }
  return (app) => {
    app.get('/.well-known/openid-configuration', (_request, reply) => sendJson(reply, 200, document))
    app.get(KEYS, async (_request, reply) => sendJson(reply, 200, { keys: await signer.publicKeys() }))
  }
}
