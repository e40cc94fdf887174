import type { FastifyInstance, RouteOptions } from 'fastify'

import { createCallerReader } from './authentication/caller.js'
import { LEAST_RATE, LEAST_STREAM_RATE, limitBodyRate } from './body-rate.js'
import { callerRules, handlerOf, type OperationDeps } from './handle-operation.js'
import type { Operation } from './operation.js'
import {
  leaveBodiesUnread,
  parseBodiesWithoutFiles,
  parseParameterBodies,
} from './parameters/body-parsers.js'
import { givenParameters } from './parameters/parameter-source.js'
import { fileLimits, isMultipart } from './parameters/with-files.js'
import { BODY_SECONDS, IDLE_SECONDS, limitBodyTime, limitIdleTime } from './slow-bodies.js'

/** Bytes of a body that is parsed; bodies that an operation reads itself have limits of their own. */
export const BODY_LIMIT = 4 * 1024 * 1024

/** Adds the operations to `app`, grouped by who reads their body. */
export function registerOperations(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
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
    const inGroup = operations.filter((operation) => bodyOf(operation) === body)
    app.register(async (group) => {
      addParsers(group)
      addRoutes(group, inGroup, deps)
    })
  }
}

type Body = 'parameters' | 'files' | 'stream'

function bodyOf({ body, params }: Operation): Body {
  if (body === 'stream') return 'stream'
  return fileLimits(params).size > 0 ? 'files' : 'parameters'
}

function addRoutes(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: routeUrl(operation.path),
      handler: handlerOf(operation, deps),
      ...largeBodies(operation, deps),
    })
  }
}

/** Strangers fill no memory: who sends more than usual is known before it is read. */
function largeBodies(operation: Operation, deps: OperationDeps): Partial<RouteOptions> {
  const { maxBodyBytes, path } = operation
  if (maxBodyBytes === undefined) return {}
  const readCaller = createCallerReader(deps, callerRules(operation))
  return {
    bodyLimit: maxBodyBytes,
    preParsing: async (request, _reply, payload) => {
      const isUsual = Number(request.headers['content-length'] ?? Infinity) <= BODY_LIMIT
      if (!isUsual) await readCaller(request, givenParameters(request, path))
      return payload
    },
  }
}

/** The router knows a tail with slashes as `*` alone. */
function routeUrl(path: string): string {
  return path.replace(/\*\w+$/, '*')
}
