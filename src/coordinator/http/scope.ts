import type { FastifyInstance } from 'fastify'

const NAME = Symbol.for('fastify.display-name')

/**
 * Adds routes in a scope of their own: the hooks and parsers that `define` adds apply to these routes only. Fastify
 * searches all loaded modules for the name of a scope that has none.
 */
export function addScope(
  app: FastifyInstance,
  name: string,
  define: (scope: FastifyInstance) => void,
  options: { prefix?: string } = {},
): void {
  app.register(
    Object.assign(async (scope: FastifyInstance) => define(scope), { [NAME]: name }),
    options,
  )
}
