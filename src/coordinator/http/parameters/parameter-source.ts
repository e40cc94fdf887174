import type { FastifyRequest } from 'fastify'

import { isRecord } from '../../../lib/is-record.js'

/** The parameters of a client before they are converted to their types. */
export type Given = Record<string, unknown>

/** Path before body before query; a trailing `*name` of the path arrives under its name. */
export function givenParameters(request: FastifyRequest, path: string): Given {
  const inPath = request.params as Given
  // Has no prototype, so that `__proto__` is an ordinary name.
  const given = Object.assign(Object.create(null) as Given, request.query)
  if (isRecord(request.body)) Object.assign(given, request.body)
  Object.assign(given, inPath)
  if ('*' in inPath) given[path.slice(path.lastIndexOf('*') + 1)] = inPath['*']
  return given
}
