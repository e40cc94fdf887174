import type { FastifyInstance } from 'fastify'

import { sendJson } from './send.js'

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
      return sendJson(reply, 503, { status: 'failed' })
    }
    return sendJson(reply, 200, { status: 'ok' })
  })
}
