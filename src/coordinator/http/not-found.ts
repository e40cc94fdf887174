import type { FastifyInstance } from 'fastify'

import { sendPreflight } from './cors.js'
import { sendError } from './error-handler.js'
import { apiError } from './errors.js'
import type { Operation } from './operation.js'

/** 404 for an unknown route, 405 with `Allow` for a verb that a known path does not offer (API, A4). */
export function refuseUnknownRoutes(app: FastifyInstance, prefix: string, operations: Operation[]): void {
  const methodsOf = createMethodFinder(prefix, operations)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '')
    if (request.method === 'OPTIONS' && allowed.length > 0) return sendPreflight(request, reply)
    if (allowed.length === 0) return sendError(reply, apiError('path_not_found'))
    return sendError(reply, apiError('method_not_allowed', {}, { headers: { allow: allowed.join(', ') } }))
  })
}

function createMethodFinder(prefix: string, operations: Operation[]): (url: string) => string[] {
  let known: { method: string; pattern: RegExp }[] | undefined
  return (url) => {
    known ??= operations.map(({ method, path }) => ({ method, pattern: patternOf(prefix + path) }))
    return [...new Set(known.filter(({ pattern }) => pattern.test(url)).map(({ method }) => method))]
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.+?^$(){}|[\]\\]/g, '\\$&')
    .replace(/\*\w+$/, '.+')
    .replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
