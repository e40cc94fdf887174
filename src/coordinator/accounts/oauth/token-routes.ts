import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { sendPreflight } from '../../http/cors.js'
import { ApiError } from '../../http/errors.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import { subjectOfAddress } from '../../http/rate-limits/address-subject.js'
import { CallLimit } from '../../http/rate-limits/call-limit.js'
import { sendJson } from '../../http/send.js'
import { grantEventOf } from './audit-grant.js'
import { authenticateClient } from './client.js'
import { requestDevice } from './device/request-device.js'
import { Given } from './given.js'
import { DYNAMIC_GRANT_TYPES, GRANTS } from './grants/grant-types.js'
import type { TokenResponse } from './issue-token.js'
import type { OauthDeps } from './oauth-deps.js'
import { OauthError } from './oauth-errors.js'
import { withIdToken } from './openid/id-token.js'
import { introspectToken } from './openid/introspect-token.js'
import { userInfo } from './openid/user-info.js'
import { revokeOauthToken } from './revoke-token.js'
import { tokenInfo } from './token-info.js'

/** Maximum size of a request body, in bytes; all parameters are short. */
const BODY_LIMIT = 64 * 1024

/** Maximum number of device requests per minute and IP address, because each is stored for some time. */
const DEVICES_PER_MINUTE = 60

/** OAuth endpoints for applications: request, inspect and revoke tokens (API, A14). */
export function oauthTokenRoutes(deps: OauthDeps): (app: FastifyInstance) => void {
  const { database, rateLimits, signer } = deps
  const devices = new CallLimit(DEVICES_PER_MINUTE, 60_000)
  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    const options = { bodyLimit: BODY_LIMIT }
    app.post('/oauth/token', options, (request, reply) =>
      respond(request, reply, () => grantTo(deps, request)),
    )
    app.post('/oauth/revoke', options, (request, reply) =>
      respond(request, reply, async () => {
        await revokeOauthToken(database, request.headers.authorization, new Given(request.body))
        return {}
      }),
    )
    app.post('/oauth/introspect', options, (request, reply) =>
      respond(request, reply, () => {
        const { authorization } = request.headers
        return introspectToken({ database, issuer: signer.issuer }, authorization, new Given(request.body))
      }),
    )
    app.get('/oauth/token/info', (request, reply) =>
      respond(request, reply, () => tokenInfo(database, shownToken(request))),
    )
    app.post('/oauth/authorize_device', options, (request, reply) =>
      respond(request, reply, () => {
        devices.take(subjectOfAddress(request.ip))
        const { authorization } = request.headers
        return requestDevice({ database, issuer: signer.issuer }, authorization, new Given(request.body))
      }),
    )
    app.route({
      method: ['GET', 'POST'],
      url: '/oauth/userinfo',
      ...options,
      handler: (request, reply) =>
        respond(request, reply, () =>
          userInfo({ database, externalUrl: signer.issuer }, shownToken(request)),
        ),
    })
    // Applications in web pages of other origins call these paths.
    for (const path of CALLED_BY_PAGES) app.options(path, sendPreflight)
  }

  /**
   * Serves a request, with a rate limit on wrong secrets, codes and tokens. The response must not be cached.
   */
  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<object>,
  ): Promise<FastifyReply> {
    try {
      const body = await work()
      return await sendJson(reply.headers(NOT_KEPT), 200, body)
    } catch (error) {
      if (isRefusedCredential(error)) await rateLimits.recordFailure(request.ip)
      throw error
    }
  }
}

const CALLED_BY_PAGES = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/token/info',
  '/oauth/authorize_device',
  '/oauth/userinfo',
]

/** RFC 6749, 5.1. */
const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }

async function grantTo(deps: OauthDeps, request: FastifyRequest): Promise<TokenResponse> {
  const { database, authenticator, guardOf, storeAuditEvent } = deps
  const given = new Given(request.body)
  const grant = GRANTS.get(given.required('grant_type'))
  if (!grant) throw new OauthError('unsupported_grant_type')
  const { authorization } = request.headers
  const client = await authenticateClient(database, authorization, given)
  if (client.dynamic && !DYNAMIC_GRANT_TYPES.has(grant)) throw new OauthError('unauthorized_client')
  const from = { address: request.ip, requestId: request.id }
  const issued = await grant({
    client,
    given,
    database,
    authenticator,
    guard: guardOf(request.ip),
    byHeader: authorization !== undefined,
    recordAudit: (store, granted) => storeAuditEvent(store, grantEventOf(granted, from)),
  })
  return withIdToken(deps, client, issued)
}

function isRefusedCredential(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 401 || (error instanceof OauthError && error.error === 'invalid_grant')
}

/** RFC 6750, 2. */
function shownToken({ headers, query, body }: FastifyRequest): string | undefined {
  const inHeader = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return inHeader ?? new Given(query).text('access_token') ?? new Given(body).text('access_token')
}
