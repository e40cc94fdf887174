import type { FastifyInstance } from 'fastify'

import { MCP_SCOPE } from '../http/authentication/scopes.js'
import { sendJson } from '../http/send.js'

const PATH = '/api/v4/mcp'
const METADATA = '/.well-known/oauth-protected-resource'

/**
 * Tells programs without a token where they get one (RFC 9728): the metadata of the resource, and on each 401 its address.
 * They register themselves at the authorization server that it names.
 */
export function serveResourceMetadata(app: FastifyInstance, externalUrl: string): void {
  const document = {
    resource: externalUrl + PATH,
    authorization_servers: [externalUrl],
    scopes_supported: [MCP_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Switchyard',
  }
  for (const path of [METADATA, METADATA + PATH])
    app.get(path, (_request, reply) => sendJson(reply, 200, document))
  const challenge = `Bearer resource_metadata="${externalUrl}${METADATA}${PATH}", scope="${MCP_SCOPE}"`
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isRefused = reply.statusCode === 401 && request.url.split('?', 1)[0] === PATH
    if (isRefused && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', challenge)
    done()
  })
}
