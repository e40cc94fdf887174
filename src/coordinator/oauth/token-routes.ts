import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { answerPreflight } from '../http/cors.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { sendJson } from '../http/send.js'
import { BODY_SECONDS, limitBodyTime } from '../http/slow-bodies.js'
import { grantEventOf } from './audit-grant.js'
import { authenticateClient } from './client.js'
import { Given } from './given.js'
import { grantByClient } from './grants/by-client.js'
import { grantByCode } from './grants/by-code.js'
import { grantByPassword } from './grants/by-password.js'
import { grantByRefreshToken } from './grants/by-refresh-token.js'
import type { GrantCall } from './grants/grant-call.js'
import type { TokenAnswer } from './issue-token.js'
import type { OauthDeps } from './oauth-deps.js'
import { OauthError } from './oauth-errors.js'
import { revokeToken } from './revoke-token.js'
import { tokenInfo } from './token-info.js'

/** Bytes; none of the parameters is long. */
const BODY_LIMIT = 64 * 1024

const GRANTS = new Map<string, (call: GrantCall) => Promise<TokenAnswer>>([
  ['authorization_code', grantByCode],
  ['refresh_token', grantByRefreshToken],
  ['password', grantByPassword],
  ['client_credentials', grantByClient],
])

/** What applications themselves ask: for tokens, what a token is, and to end one (API gaps, A14). */
export function oauthTokenRoutes(deps: OauthDeps): (app: FastifyInstance) => void {
  const { database, rateLimits } = deps
  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    const options = { bodyLimit: BODY_LIMIT }
    app.post('/oauth/token', options, (request, reply) =>
      answer(request, reply, () => grantTo(deps, request)),
    )
    app.post('/oauth/revoke', options, (request, reply) =>
      answer(request, reply, async () => {
        await revokeToken(database, request.headers.authorization, new Given(request.body))
        return {}
      }),
    )
    app.get('/oauth/token/info', (request, reply) =>
      answer(request, reply, () => tokenInfo(database, shownToken(request))),
    )
    // Applications that run in a page of another origin call these.
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/token/info']) {
      app.options(path, answerPreflight)
    }
  }

  /** Whoever tries one secret, code or token after the other is put off. Nothing of this is kept by anybody on the way. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<object>,
  ): Promise<FastifyReply> {
    try {
      const body = await work()
      return await sendJson(reply.headers(NOT_KEPT), 200, body)
    } catch (error) {
      if (isRefusedCredential(error)) await rateLimits.noteFailure(request.ip)
      throw error
    }
  }
}

/** RFC 6749, 5.1. */
const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }

async function grantTo(deps: OauthDeps, request: FastifyRequest): Promise<TokenAnswer> {
  const { database, authenticator, guardOf, keepAuditEvent } = deps
  const given = new Given(request.body)
  const grant = GRANTS.get(given.required('grant_type'))
  if (!grant) throw new OauthError('unsupported_grant_type')
  const client = await authenticateClient(database, request.headers.authorization, given)
  const from = { address: request.ip, requestId: request.id }
  return grant({
    ...{ client, given, database, authenticator, guard: guardOf(request.ip) },
    tellTrail: (store, granted) => keepAuditEvent(store, grantEventOf(granted, from)),
  })
}

function isRefusedCredential(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 401 || (error instanceof OauthError && error.error === 'invalid_grant')
}

function shownToken({ headers, query }: FastifyRequest): string | undefined {
  const inHeader = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return inHeader ?? new Given(query).text('access_token')
}
