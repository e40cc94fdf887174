import type { FastifyRequest } from 'fastify'

import { apiErrorMessage } from '../../error-catalogue/api-errors.js'
import { requestAddress } from '../../lib/request-address.js'
import { type ApiError, apiError, TextError } from './errors.js'

/**
 * The response to a request with the old path of a project or group: reads are redirected to the id, other
 * requests are refused (API, A6).
 */
export function redirectTo(
  externalUrl: string,
  { method, url }: FastifyRequest,
  resource: 'projects' | 'groups',
  id: number,
): ApiError {
  if (method !== 'GET' && method !== 'HEAD') {
    return apiError('moved_method_not_allowed', { resource })
  }
  // The request target may be an absolute URL with another host.
  const { pathname, search } = requestAddress(url)
  const path = pathname.replace(new RegExp(`(/${resource}/)[^/]+`), `$1${id}`)
  const location = `${externalUrl}${path}${search}`
  return new TextError('moved_permanently', apiErrorMessage('moved_permanently', { location }), { location })
}
