import type { IncomingHttpHeaders } from 'node:http'

import { SwitchyardError } from '../../lib/errors.js'
import type { AccessDenied, RequiredRole } from '../access/access-denied.js'

/** The error response: a status and a body whose shape clients parse (API, A4). */
export class ApiError extends SwitchyardError {
  readonly name = 'ApiError'
  readonly code = 'API_ERROR'

  constructor(
    readonly status: number,
    readonly body: Record<string, unknown>,
    readonly headers: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    super(JSON.stringify(body), options)
  }
}

/** The few errors whose body is plain text. */
export class TextError extends ApiError {
  constructor(
    status: number,
    readonly text: string,
    headers?: Record<string, string>,
  ) {
    super(status, { message: text.trim() }, headers)
  }
}

/** 400 for a parameter: `{"error":"title is missing"}`. */
export function invalidParameters(problem: string): ApiError {
  return new ApiError(400, { error: problem })
}

/** 400 for a record: `{"message":{"name":["has already been taken"]}}`. */
export function invalidRecord(problems: Record<string, string[]>): ApiError {
  return new ApiError(400, { message: problems })
}

/** 400 with a sentence: `{"message":"400 Bad request - <reason>"}`. */
export function badRequest(reason: string): ApiError {
  return new ApiError(400, { message: `400 Bad request - ${reason}` })
}

export function unauthorized(): ApiError {
  return new ApiError(401, { message: '401 Unauthorized' })
}

export function forbidden(reason?: string, headers?: Record<string, string>): ApiError {
  return new ApiError(403, { message: reason ? `403 Forbidden - ${reason}` : '403 Forbidden' }, headers)
}

/** 404: `404 Project Not Found` for a named thing, `404 Not found` for a record looked up by id. */
export function notFound(thing?: string): ApiError {
  return new ApiError(404, { message: thing ? `404 ${thing} Not Found` : '404 Not found' })
}

/** Converts a refusal of `access/` into a response. */
export function accessError(denied: AccessDenied): ApiError {
  switch (denied.status) {
    case 401:
      return unauthorized()
    case 403:
      return forbidden(denied.reason, denied.required && requiredRoleHeaders(denied.required))
    case 404:
      return notFound(denied.subject)
  }
}

/** For pages, which name the role. The body is as clients know it. */
function requiredRoleHeaders({ role, subject }: RequiredRole): Record<string, string> {
  return { 'x-required-role': role, ...(subject && { 'x-required-role-in': subject }) }
}

/** 412 for a DELETE whose `If-Unmodified-Since` is older than the record, in milliseconds since 1970 (API, A9). */
export function checkUnmodified(headers: IncomingHttpHeaders, updatedAt: number): void {
  const since = Date.parse(headers['if-unmodified-since'] ?? '')
  // The header knows whole seconds only.
  if (Math.floor(updatedAt / 1000) * 1000 > since) {
    throw new ApiError(412, { message: '412 Precondition Failed' })
  }
}

/** 409: `{"message":"Member already exists"}`. */
export function conflict(message: string): ApiError {
  return new ApiError(409, { message })
}

/** 408 for a body that does not arrive or arrives too slowly; closes the connection. */
export function tooSlow(): ApiError {
  return new ApiError(408, { message: '408 Request Timeout' }, { connection: 'close' })
}
