import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { SECOND } from '../../../lib/time-units.js'
import { deleteSessionsOfProvider } from '../../database/stores/web-session-store.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import { formField } from '../form-field.js'
import type { SessionDeps } from '../session-deps.js'
import { LOGOUT_TOKEN_LIFE } from './logout-token.js'
import { type EndedAtProvider, type IdentityProvider, ProviderError } from './provider.js'
import { useOnce } from './used-tokens.js'

/** Maximum size of a request body, in bytes. */
const BODY_LIMIT = 16 * 1024
/** Longest token, in characters. */
const MAX_TOKEN = 12_000
/** Milliseconds in which a token is recognized: more than it is valid. */
const REMEMBERED = 2 * LOGOUT_TOKEN_LIFE * SECOND

/**
 * Ends sessions whose users have signed out at their provider (OpenID Connect Back-Channel Logout 1.0). The provider sends
 * the request itself.
 */
export function backchannelLogoutRoutes(
  deps: Pick<SessionDeps, 'database' | 'providers' | 'spool' | 'guardOf' | 'logger'>,
): (app: FastifyInstance) => void {
  const { database, providers, guardOf, logger } = deps

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.post('/users/auth/:provider/backchannel_logout', { bodyLimit: BODY_LIMIT }, end)
  }

  async function end(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store')
    const { provider: name } = request.params as { provider: string }
    const provider = providers.findRedirecting(name)
    if (!provider) return refuse(reply, 404, 'There is no provider with this name')
    const guard = guardOf(request.ip)
    guard.check()
    try {
      await endSessions(
        provider,
        await provider.readLogout(formField(request.body, 'logout_token', MAX_TOKEN)),
      )
      return await reply.code(200).send()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      logger.warn({ err: error, provider: name }, 'A logout token of a provider was refused')
      if (error.kind === 'unreachable') return refuse(reply, 503, error.message)
      await guard.failed()
      return refuse(reply, 400, error.message)
    }
  }

  /** Throws `ProviderError` for a token that was used before. */
  async function endSessions(
    { name, label }: IdentityProvider,
    { subject, sid, messageId }: EndedAtProvider,
  ): Promise<void> {
    if (!(await useOnce(database, `logout ${name} ${messageId}`, Date.now() + REMEMBERED))) {
      throw new ProviderError('invalid', 'The token was used before', undefined)
    }
    const sessions = await deleteSessionsOfProvider(database, name, { subject, sid })
    logger.info({ provider: name, sessions }, `${label} has ended sessions`)
  }
}

function refuse(reply: FastifyReply, status: number, description: string): FastifyReply {
  return reply.code(status).send({ error: 'invalid_request', error_description: description })
}
