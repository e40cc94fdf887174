import type { FastifyInstance } from 'fastify'

import { SwitchyardError } from '../../lib/errors.js'
import { sendJson } from './send.js'

/** Why the coordinator is not ready, in a sentence that anybody may read. */
export class NotReadyError extends SwitchyardError {
  readonly name = 'NotReadyError'
  readonly code = 'NOT_READY'
}

/** `/-/health`: the process responds. `/-/readiness`: it can also reach its store, and is not about to stop. */
export function healthRoutes(
  app: FastifyInstance,
  checkReady: () => Promise<void>,
  stopping: AbortSignal,
): void {
  app.get('/-/health', (_request, reply) => sendJson(reply, 200, { status: 'ok' }))
  app.get('/-/readiness', async (request, reply) => {
    if (stopping.aborted) return sendJson(reply, 503, { status: 'stopping' })
    try {
      await checkReady()
    } catch (error) {
      request.log.warn({ err: error }, 'Not ready')
      const message = error instanceof NotReadyError ? error.message : undefined
      return sendJson(reply, 503, { status: 'failed', message })
    }
    return sendJson(reply, 200, { status: 'ok' })
  })
}
