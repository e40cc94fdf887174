import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import type { ApiErrorCode } from '../../error-catalogue/api-errors.js'
import { warnOfDamage } from '../../lib/damage.js'
import { isDiskFull } from '../../lib/disk-full.js'
import { S3RefusedError, S3UnavailableError } from '../../s3/errors.js'
import { isBrokenReference, isDeadlock, isGone } from '../database/lost-race.js'
import { isDatabaseBusy, isStoreGone } from '../database/store-gone.js'
import { damageOf } from './damage.js'
import { ApiError, apiError, notFound, TextError } from './errors.js'
import { sendJson, sendPlain } from './send.js'

/** Converts a thrown error into the error body that clients parse; a 5xx shows no internal details. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const response = responseOf(error)
  if (response.status >= 500) logFailure(error, request, 'The request failed')
  if (reply.raw.headersSent) {
    reply.raw.destroy() // the stream broke off: only closing the connection can signal this
    return
  }
  void sendError(reply, response)
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  reply.headers(error.headers).header(ERROR_CODE_HEADER, error.code)
  if (error instanceof TextError) return sendPlain(reply, error.status, error.text)
  return sendJson(reply, error.status, error.body)
}

/** Contains the code of the error in the catalogue. */
export const ERROR_CODE_HEADER = 'x-error-code'

/** Logs why a request failed. Damage is logged once, not for each request that finds it. */
export function logFailure(error: Error, request: FastifyRequest, message: string): void {
  const fields = { err: error, request: request.id, route: routeOf(request) }
  const damage = damageOf(error, request)
  if (damage) warnOfDamage(request.log, damage.thing, fields, `${message}: ${damage.shown}`)
  else request.log.error(fields, message)
}

/** For the log: without the URL, which may hold a credential. */
function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'unknown'}`
}

/** The response for a thrown error. */
export function responseOf(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? error.code : undefined
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (code === 'FST_ERR_BAD_URL') return apiError('path_not_decodable')
  if (status === 414) return apiError('uri_too_long')
  if (isStoreGone(error) || isDeadlock(error)) return apiError('service_unavailable')
  if (isDatabaseBusy(error)) return apiError('database_locked', {}, { headers: { 'retry-after': '5' } })
  if (isDiskFull(error)) return apiError('disk_full')
  if (error instanceof S3UnavailableError || error instanceof S3RefusedError) return bucketError(error)
  const damage = damageOf(error)
  if (damage) return apiError('stored_data_damaged', { damage: damage.shown })
  if (isGone(error)) return notFound()
  if (isBrokenReference(error)) return apiError('reference_deleted')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiError('body_too_large')
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError(BY_STATUS[status] ?? 'malformed_request', { error: error.message })
  }
  if (status === 503) return apiError('service_unavailable')
  return apiError('internal_error')
}

/** Errors of the HTTP server by their status. */
const BY_STATUS: Partial<Record<number, ApiErrorCode>> = {
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

/** The message of the error is for the log: it names settings. */
function bucketError(error: S3UnavailableError | S3RefusedError): ApiError {
  const reason = error.reason === undefined ? '' : ` (${error.reason})`
  return apiError(error instanceof S3UnavailableError ? 'bucket_unavailable' : 'bucket_unusable', { reason })
}
