import type { IncomingHttpHeaders } from 'node:http'

import {
  type ApiErrorArguments,
  type ApiErrorCode,
  apiErrorEntry,
  apiErrorMessage,
} from '../../error-catalogue/api-errors.js'
import { SwitchyardError } from '../../lib/errors.js'
import type { AccessDenied, RequiredRole } from '../access/access-denied.js'

/** An error response: its code decides about the status, and clients parse the shape of the body (API, A4). */
export class ApiError extends SwitchyardError {
  readonly name = 'ApiError'
  readonly status: number

  constructor(
    readonly code: ApiErrorCode,
    readonly body: Record<string, unknown>,
    readonly headers: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    super(JSON.stringify(body), options)
    this.status = apiErrorEntry(code).status
  }
}

interface ApiErrorOptions extends ErrorOptions {
  headers?: Record<string, string>
}

/** The error of the catalogue with this code; `values` replace the placeholders of its message. */
export function apiError<Code extends ApiErrorCode>(
  code: Code,
  ...[values, options = {}]: ApiErrorArguments<Code, [options?: ApiErrorOptions]>
): ApiError {
  const { key = 'message', isList = false } = apiErrorEntry(code)
  const message = apiErrorMessage(code, ...([values] as ApiErrorArguments<Code>))
  const { headers, ...others } = options
  return new ApiError(code, { [key]: isList ? [message] : message }, headers, others)
}

/** The few errors whose body is plain text. */
export class TextError extends ApiError {
  constructor(
    code: ApiErrorCode,
    readonly text: string,
    headers?: Record<string, string>,
  ) {
    super(code, { message: text.trim() }, headers)
  }
}

/** 400 for a parameter: `{"error":"title is missing"}`. */
export function invalidParameters(problem: string, options?: ErrorOptions): ApiError {
  return apiError('invalid_parameters', { problem }, options)
}

/** 400 for a record: `{"message":{"name":["has already been taken"]}}`. */
export function invalidRecord(problems: Record<string, string[]>): ApiError {
  return new ApiError('invalid_record', { message: problems })
}

export function unauthorized(): ApiError {
  return apiError('unauthorized')
}

export function forbidden(): ApiError {
  return apiError('forbidden')
}

/** 404: `404 Project Not Found` for a named thing, `404 Not found` for a record looked up by id. */
export function notFound(thing?: string): ApiError {
  return thing ? apiError('not_found', { thing }) : apiError('record_not_found')
}

/** Converts a refusal of `access/` into a response. */
export function accessError(denied: AccessDenied): ApiError {
  switch (denied.status) {
    case 401:
      return unauthorized()
    case 403:
      return denied.reason === undefined
        ? apiError('forbidden', {}, denied.required && { headers: requiredRoleHeaders(denied.required) })
        : apiError('job_token_not_allowed', { reason: denied.reason })
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
  if (Math.floor(updatedAt / 1000) * 1000 > since) throw apiError('precondition_failed')
}

/** 408 for a body that does not arrive or arrives too slowly; closes the connection. */
export function tooSlow(): ApiError {
  return apiError('request_timeout', {}, { headers: { connection: 'close' } })
}
