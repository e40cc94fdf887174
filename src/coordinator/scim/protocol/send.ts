import type { FastifyError, FastifyReply } from 'fastify'

import type { ApiErrorCode } from '../../../error-catalogue/api-errors.js'
import { isRecord } from '../../../lib/is-record.js'
import { isNamedBy } from '../../http/entity-tag.js'
import { ERROR_CODE_HEADER, responseOf } from '../../http/error-handler.js'
import { type ApiError, TextError } from '../../http/errors.js'
import { versionOf } from './resource.js'
import { ERROR_SCHEMA } from './schemas.js'

const SCIM_TYPE = 'application/scim+json'

export function sendScim(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .header('content-type', SCIM_TYPE)
    .header('cache-control', 'no-store')
    .serializer(String)
    .send(JSON.stringify(body))
}

/** A resource with its version and address; 304 if the client knows this version. */
export function sendResource(
  reply: FastifyReply,
  resource: Readonly<Record<string, unknown>>,
  status = 200,
): FastifyReply {
  const version = versionOf(resource)
  reply.header('etag', version)
  const { location } = resource['meta'] as { location: string }
  if (status === 201) reply.header('location', location)
  const isKnown = reply.request.method === 'GET' && isNamedBy(version, reply.request.headers['if-none-match'])
  return isKnown ? reply.code(304).send() : sendScim(reply, status, resource)
}

/** Keywords of RFC 7644, table 9, by the code of the error. */
const SCIM_TYPES: Partial<Record<ApiErrorCode, string>> = {
  scim_invalid_filter: 'invalidFilter',
  scim_invalid_path: 'invalidPath',
  scim_no_target: 'noTarget',
  scim_invalid_syntax: 'invalidSyntax',
  malformed_body: 'invalidSyntax',
  invalid_parameters: 'invalidSyntax',
  scim_invalid_value: 'invalidValue',
  scim_domain_not_allowed: 'invalidValue',
  invalid_record: 'invalidValue',
  scim_administrator: 'mutability',
}

/** The error in the form of SCIM (RFC 7644, section 3.12). */
export function sendScimError(reply: FastifyReply, error: FastifyError | Error): FastifyReply {
  const response = responseOf(error)
  const scimType = SCIM_TYPES[response.code] ?? (response.status === 409 ? 'uniqueness' : undefined)
  reply.headers(response.headers).header(ERROR_CODE_HEADER, response.code)
  return sendScim(reply, response.status, {
    schemas: [ERROR_SCHEMA],
    status: String(response.status),
    ...(scimType !== undefined && { scimType }),
    detail: detailOf(response),
  })
}

function detailOf(error: ApiError): string {
  if (error instanceof TextError) return error.text.trim()
  return flatten(error.body['message'] ?? error.body['error'])
}

/** Problems of a record by field become one sentence. */
function flatten(message: unknown): string {
  if (typeof message === 'string') return message
  if (Array.isArray(message)) return message.map(flatten).join(', ')
  if (!isRecord(message)) return 'The request was refused'
  return Object.entries(message)
    .map(([name, problem]) => (name === 'error' ? flatten(problem) : `${name} ${flatten(problem)}`))
    .join('; ')
}
