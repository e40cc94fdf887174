import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { tooSlow } from '../errors.js'

/** Seconds after which a body that is parsed must have arrived. */
export const BODY_SECONDS = 60
/** Idle timeout of a body that an operation reads itself, in seconds. */
export const IDLE_SECONDS = 120

/**
 * Responds with 408 to bodies that arrive too slowly; each would hold a connection and its buffer. Multipart
 * bodies can have another limit, since uploads may take long.
 */
export function limitBodyTime(
  app: FastifyInstance,
  seconds: number,
  { except = () => false }: { except?: (request: FastifyRequest) => boolean } = {},
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request) && !request.raw.complete && !except(request)) {
      const timer = setTimeout(() => abort(request, payload), seconds * 1000).unref()
      request.raw.once('end', () => clearTimeout(timer))
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}

/** Most requests have no body and need no timer. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The reader of the body receives the error and responds. Without a reader, as under GET, an error would end
 * the process.
 */
function abort({ raw }: FastifyRequest, payload: EventEmitter): void {
  if (raw.complete) return
  if (payload.listenerCount('error') > 0) payload.emit('error', tooSlow())
  else raw.destroy()
}

/**
 * Discards the rest of a body whose reader has failed or refused it, because many clients read the response only when
 * they have sent everything. Closes connections whose body still arrives long after the response.
 */
export function discardAfterResponse(app: FastifyInstance, seconds: number): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      endLater(raw, seconds)
      raw.unpipe().resume()
    }
    done()
  })
}

function endLater(raw: IncomingMessage, seconds: number): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return // a request that came over no connection
  const timer = setTimeout(() => socket.destroy(), seconds * 1000).unref()
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  socket.once('close', stop)
}

/** Closes connections on which the rest of a long body does not arrive. */
export function limitIdleTime(app: FastifyInstance, seconds: number): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.raw.complete) cutOffWhenIdle(request, seconds)
    done()
  })
}

function cutOffWhenIdle({ raw }: FastifyRequest, seconds: number): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return // a request that came over no connection
  const cutOff = (): void => {
    raw.destroy(tooSlow())
  }
  socket.setTimeout(seconds * 1000, cutOff)
  const stop = (): void => {
    socket.setTimeout(0)
    socket.off('timeout', cutOff)
  }
  raw.once('end', stop)
  raw.once('close', stop)
}
