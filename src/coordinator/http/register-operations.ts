import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler } from 'fastify'

import { groupBy } from '../../lib/group-by.js'
import { createCallerReader } from './authentication/caller.js'
import { LEAST_RATE, LEAST_STREAM_RATE, limitBodyRate } from './body-limits/body-rate.js'
import { maxBodySize } from './body-limits/body-size.js'
import { BODY_SECONDS, IDLE_SECONDS, limitBodyTime, limitIdleTime } from './body-limits/body-time.js'
import { limitUnauthenticatedBody } from './body-limits/unauthenticated-body-size.js'
import { callerRules, createHandler, type Handler, type OperationDeps } from './handle-operation.js'
import type { Operation } from './operation.js'
import {
  leaveBodiesUnread,
  parseBodiesWithoutFiles,
  parseParameterBodies,
} from './parameters/body-parsers.js'
import { refuseUnknownNames } from './parameters/combinations.js'
import { fileLimits, isMultipart } from './parameters/with-files.js'
import { addScope } from './scope.js'

/** Adds the operations to `app`, grouped by how their body is read. */
export function registerOperations(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
  const byBody = groupBy(operations, bodyOf)
  addGroup('parameters', (group) => {
    parseParameterBodies(group, deps.spool)
    limitBodyTime(group, deps.bodySeconds ?? BODY_SECONDS)
  })
  addGroup('files', (group) => {
    parseBodiesWithoutFiles(group)
    limitBodyTime(group, deps.bodySeconds ?? BODY_SECONDS, { except: isMultipart })
    limitIdleTime(group, deps.bodySeconds ?? IDLE_SECONDS)
    limitBodyRate(group, deps.bodyRate ?? LEAST_RATE)
  })
  addGroup('stream', (group) => {
    leaveBodiesUnread(group)
    limitIdleTime(group, deps.bodySeconds ?? IDLE_SECONDS)
    limitBodyRate(group, deps.bodyRate ?? LEAST_STREAM_RATE)
  })

  function addGroup(body: Body, addParsers: (group: FastifyInstance) => void): void {
    addScope(app, body, (group) => {
      addParsers(group)
      addRoutes(group, byBody.get(body) ?? [], deps)
    })
  }
}

type Body = 'parameters' | 'files' | 'stream'

function bodyOf({ body, params }: Operation): Body {
  if (body === 'stream') return 'stream'
  return fileLimits(params).size > 0 ? 'files' : 'parameters'
}

/** The operations of a path share a route, because to add one takes Fastify longer than all of its preparations. */
function addRoutes(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
  const routes = groupBy(operations, (operation) => `${maxBodySize(operation)} ${operation.path}`)
  for (const ofRoute of routes.values()) addRoute(app, ofRoute as OfRoute, deps)
}

/** Operations that differ in their methods. */
type OfRoute = [Operation, ...Operation[]]

function addRoute(app: FastifyInstance, operations: OfRoute, deps: OperationDeps): void {
  for (const operation of operations) refuseUnknownNames(operation)
  const endpointOf = createEndpointFinder(operations, deps)
  const [{ path, body }] = operations
  app.route({
    // Registering GET and HEAD as two routes, as Fastify does by default, takes twice as long.
    method: operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    url: routeUrl(path),
    handler: (request, reply) => endpointOf(request).handle(request, reply),
    bodyLimit: maxBodySize(operations[0]),
    ...(body !== 'stream' && {
      preParsing: (request, reply, payload) =>
        endpointOf(request).limitBody.call(app, request, reply, payload),
    }),
  })
}

/** What Fastify calls for the requests of one operation. */
interface Endpoint {
  handle: Handler
  limitBody: preParsingAsyncHookHandler
}

/** Prepares an operation at its first request: most operations of a coordinator, and nearly all in a test, have none. */
function createEndpointFinder(
  operations: Operation[],
  deps: OperationDeps,
): (request: FastifyRequest) => Endpoint {
  const prepared = new Map<string, Endpoint>()
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const known = prepared.get(method)
    if (known) return known
    const operation = operations.find((each) => each.method === method)
    if (!operation) throw new TypeError(`No operation of the route has the method ${method}`)
    const endpoint = { handle: createHandler(operation, deps), limitBody: limitOf(operation, deps) }
    prepared.set(method, endpoint)
    return endpoint
  }
}

function limitOf(operation: Operation, deps: OperationDeps): preParsingAsyncHookHandler {
  return limitUnauthenticatedBody(operation, createCallerReader(deps, callerRules(operation)))
}

/** The router knows a tail with slashes as `*` alone. */
function routeUrl(path: string): string {
  return path.replace(/\*\w+$/, '*')
}
