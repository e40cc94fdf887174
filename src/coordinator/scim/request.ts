import type { FastifyRequest } from 'fastify'

import { isRecord } from '../../lib/is-record.js'
import { apiError } from '../http/errors.js'
import { idOf } from './protocol/condition.js'
import type { ScimCaller } from './scim-deps.js'

export function callerOf({ scimCaller }: FastifyRequest): ScimCaller {
  if (!scimCaller) throw new TypeError('The request was not authenticated')
  return scimCaller
}

/** The number of the resource in the path. Throws 404 for a text that is none. */
export function idInPath({ params }: FastifyRequest, resource: 'User' | 'Group'): number {
  const { id } = params as { id: string }
  const number = idOf(id)
  if (number < 0) throw apiError('scim_resource_not_found', { resource, id: id.slice(0, 100) })
  return number
}

export function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (!isRecord(body)) throw apiError('scim_invalid_syntax', { problem: 'the body must be an object' })
  return body
}

export function queryOf({ query }: FastifyRequest): Record<string, unknown> {
  return isRecord(query) ? query : {}
}
