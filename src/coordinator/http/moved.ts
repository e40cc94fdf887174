import type { FastifyRequest } from 'fastify'

import { ApiError, TextError } from './errors.js'

/**
 * The answer to a request for a project or group by a path that it has left: reading is led to its number, anything else
 * is refused (API gaps, A6).
 */
export function movedTo(
  externalUrl: string,
  { method, url }: FastifyRequest,
  noun: 'projects' | 'groups',
  id: number,
): ApiError {
  if (method !== 'GET' && method !== 'HEAD') {
    return new ApiError(405, { message: `Non GET methods are not allowed for moved ${noun}` })
  }
  const location = externalUrl + url.replace(new RegExp(`(/${noun}/)[^/?]+`), `$1${id}`)
  return new TextError(301, `This resource has been moved permanently to ${location}.`, { location })
}
