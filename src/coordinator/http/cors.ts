import type { FastifyReply, FastifyRequest } from 'fastify'

/** Response headers that pages of other origins may read (API, A7). */
const EXPOSED = [
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Next-Page',
  'X-Prev-Page',
  'X-Request-Id',
  'X-Runtime',
  'X-Error-Code',
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Observed',
  'RateLimit-Reset',
  'RateLimit-ResetTime',
  'RateLimit-Name',
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const PREFLIGHT_SECONDS = 7200

/** Allows pages of any origin to call the API, without cookies (API, A9). */
export function allowOtherOrigins(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.origin === undefined) return
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
}

/** Responds to a CORS preflight request. */
export function sendPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const headers = request.headers['access-control-request-headers']
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      ...(headers !== undefined && { 'access-control-allow-headers': headers }),
    })
    .send()
}
