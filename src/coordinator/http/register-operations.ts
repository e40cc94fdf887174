import type { FastifyInstance, preParsingAsyncHookHandler } from 'fastify'

import { createCallerReader } from './authentication/caller.js'
import { LEAST_RATE, LEAST_STREAM_RATE, limitBodyRate } from './body-limits/body-rate.js'
import { maxBodySize } from './body-limits/body-size.js'
import { BODY_SECONDS, IDLE_SECONDS, limitBodyTime, limitIdleTime } from './body-limits/body-time.js'
import { limitUnauthenticatedBody } from './body-limits/unauthenticated-body-size.js'
import { callerRules, handlerOf, type OperationDeps } from './handle-operation.js'
import type { Operation } from './operation.js'
import {
  leaveBodiesUnread,
  parseBodiesWithoutFiles,
  parseParameterBodies,
} from './parameters/body-parsers.js'
import { fileLimits, isMultipart } from './parameters/with-files.js'
import { addScope } from './scope.js'

/** Adds the operations to `app`, grouped by how their body is read. */
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
    addScope(app, body, (group) => {
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
      // As two routes, which Fastify would add by itself, they take twice the time to register.
      method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
      url: routeUrl(operation.path),
      handler: handlerOf(operation, deps),
      bodyLimit: maxBodySize(operation),
      ...(operation.body !== 'stream' && { preParsing: limitOf(operation, deps) }),
    })
  }
}

function limitOf(operation: Operation, deps: OperationDeps): preParsingAsyncHookHandler {
  return limitUnauthenticatedBody(operation, createCallerReader(deps, callerRules(operation)))
}

/** The router knows a tail with slashes as `*` alone. */
function routeUrl(path: string): string {
  return path.replace(/\*\w+$/, '*')
}
