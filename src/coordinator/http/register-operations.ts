import type { FastifyInstance } from 'fastify'

import { handlerOf, type OperationDeps } from './handle-operation.js'
import type { Operation } from './operation.js'
import { leaveBodiesUnread, parseParameterBodies } from './parameters/body-parsers.js'

/** Adds the operations to `app`, in two groups: those whose body is parsed, and those who read it themselves. */
export function registerOperations(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
  app.register(async (group) => {
    parseParameterBodies(group)
    addRoutes(
      group,
      operations.filter(({ body }) => body !== 'stream'),
      deps,
    )
  })
  app.register(async (group) => {
    leaveBodiesUnread(group)
    addRoutes(
      group,
      operations.filter(({ body }) => body === 'stream'),
      deps,
    )
  })
}

function addRoutes(app: FastifyInstance, operations: Operation[], deps: OperationDeps): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: routeUrl(operation.path),
      handler: handlerOf(operation, deps),
    })
  }
}

/** The router knows a tail with slashes as `*` alone. */
function routeUrl(path: string): string {
  return path.replace(/\*\w+$/, '*')
}
