import type { FastifyInstance } from 'fastify'

import type { Logger } from '../../lib/logger.js'
import type { Caller } from '../access/caller.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once it is authenticated. */
    caller: Caller | undefined
  }
}

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Logs every request after its response. Changes by users are logged at `info`; reads and runner polling only at
 * `debug`. The URL is never logged: it may hold a credential.
 */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    const level = CHANGING.has(request.method) && request.caller?.kind === 'user' ? 'info' : 'debug'
    if (logger.isLevelEnabled(level)) {
      const { caller } = request
      logger[level](
        {
          request: request.id,
          ...(caller && caller.kind !== 'anonymous' && { user: caller.user.username }),
          ...(caller?.kind === 'user' && caller.sudoBy && { sudo_by: caller.sudoBy.username }),
          ...(caller?.kind === 'job' && { job: caller.job.id }),
          operation: `${request.method} ${request.routeOptions.url ?? 'unknown'}`,
          status: reply.statusCode,
          milliseconds: Math.round(reply.elapsedTime),
        },
        'Answered a request',
      )
    }
    done()
  })
}
