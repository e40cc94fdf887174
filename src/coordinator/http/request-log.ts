import type { FastifyInstance } from 'fastify'

import type { Logger } from '../../lib/logger.js'
import type { Caller } from '../access/caller.js'
import type { ServedRequest } from './served-request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once it is authenticated. */
    caller: Caller | undefined
  }
}

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Calls `onServed` for every request after its response. */
export function reportServed(app: FastifyInstance, onServed: (served: ServedRequest) => void): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onResponse', ({ id, method, routeOptions, caller }, reply, done) => {
    const { statusCode: status, elapsedTime: milliseconds } = reply
    onServed({ id, method, route: routeOptions.url ?? 'unknown', status, milliseconds, caller })
    done()
  })
}

/**
 * Logs a served request. Changes by users are logged at `info`; reads and runner polling only at `debug`. The URL is
 * never logged: it may hold a credential.
 */
export function logServed(logger: Logger, served: ServedRequest): void {
  const { id, method, route, status, milliseconds, caller } = served
  const level = CHANGING.has(method) && caller?.kind === 'user' ? 'info' : 'debug'
  if (!logger.isLevelEnabled(level)) return
  logger[level](
    {
      request: id,
      ...(caller && caller.kind !== 'anonymous' && { user: caller.user.username }),
      ...(caller?.kind === 'user' && caller.sudoBy && { sudo_by: caller.sudoBy.username }),
      ...(caller?.kind === 'job' && { job: caller.job.id }),
      operation: `${method} ${route}`,
      status,
      milliseconds: Math.round(milliseconds),
    },
    'Served a request',
  )
}
