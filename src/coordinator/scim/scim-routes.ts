import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { MINUTE } from '../../lib/time-units.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { logFailure } from '../http/error-handler.js'
import { apiError } from '../http/errors.js'
import { parseJsonBodies } from '../http/parameters/body-parsers.js'
import { tooOften } from '../http/rate-limits/refusals.js'
import { Windows } from '../http/rate-limits/windows.js'
import { groupRoutes } from './groups/routes.js'
import { listResponse } from './protocol/list-query.js'
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/schemas.js'
import { sendScim, sendScimError } from './protocol/send.js'
import type { ScimCaller, ScimDeps } from './scim-deps.js'
import { findProviderOfToken } from './tokens/store.js'
import { userRoutes } from './users/routes.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the endpoints of SCIM; undefined elsewhere. */
    scimCaller: ScimCaller | undefined
  }
}

const PREFIX = '/api/scim/v2/application'
/** Maximum size of a body, in bytes: a group with some thousand members. */
const BODY_LIMIT = 1024 * 1024
/** Requests of a provider in a minute. Entra ID sends up to 25 in a second. */
const REQUESTS_PER_MINUTE = 3000

const TYPES = ['application/scim+json', 'application/json']

/** The endpoints with which identity providers manage accounts and groups (RFC 7644). */
export function scimRoutes(deps: ScimDeps): (app: FastifyInstance) => void {
  const baseUrl = `${deps.externalUrl}${PREFIX}`
  const windows = new Windows(MINUTE)

  return (app) => {
    void app.register(
      (scim, _options, done) => {
        scim.addHook('onRoute', (route) => {
          route.bodyLimit = BODY_LIMIT
        })
        parseJsonBodies(scim, TYPES)
        limitBodyTime(scim, BODY_SECONDS)
        scim.decorateRequest('scimCaller', undefined)
        // Before the body is read.
        scim.addHook('onRequest', authenticate)
        scim.setErrorHandler<Error>(sendFailure)
        addDiscovery(scim)
        userRoutes(scim, deps, baseUrl)
        groupRoutes(scim, deps, baseUrl)
        scim.all('/*', () => {
          throw apiError('scim_endpoint_not_found')
        })
        done()
      },
      { prefix: PREFIX },
    )
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const guard = deps.guardOf(request.ip)
    guard.check()
    const [, token] = /^Bearer +(\S{1,255})$/i.exec(request.headers.authorization ?? '') ?? []
    const name = token === undefined ? undefined : await findProviderOfToken(deps.database, token)
    // The settings may no longer have the provider.
    const provider = name === undefined ? undefined : deps.providers.find(name)
    if (!provider) {
      await guard.failed()
      throw apiError('scim_token_invalid', {}, { headers: { 'www-authenticate': 'Bearer realm="SCIM"' } })
    }
    const usage = windows.add(provider.name)
    if (usage.observed > REQUESTS_PER_MINUTE) throw tooOften(REQUESTS_PER_MINUTE, usage, Date.now())
    request.scimCaller = { provider, address: request.ip, requestId: request.id }
  }

  function addDiscovery(scim: FastifyInstance): void {
    scim.get('/ServiceProviderConfig', (_request, reply) =>
      sendScim(reply, 200, serviceProviderConfig(baseUrl)),
    )
    for (const [path, resources] of [
      ['/ResourceTypes', resourceTypes(baseUrl)],
      ['/Schemas', schemas(baseUrl)],
    ] as const) {
      scim.get(path, (_request, reply) => sendScim(reply, 200, listResponse(resources.length, 1, resources)))
      scim.get<{ Params: { id: string } }>(`${path}/:id`, ({ params: { id } }, reply) => {
        const resource = resources.find((each) => each.id === id)
        if (!resource) throw apiError('scim_endpoint_not_found')
        return sendScim(reply, 200, resource)
      })
    }
  }
}

function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = sendScimError(reply, error)
  if (reply.statusCode >= 500) logFailure(error, request, 'A request of SCIM failed')
  return sent
}
