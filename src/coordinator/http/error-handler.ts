import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import { warnOfDamage } from '../../lib/damage.js'
import { isDiskFull } from '../../lib/disk-full.js'
import { S3RefusedError, S3UnavailableError } from '../../s3/errors.js'
import { isBrokenReference, isDeadlock, isGone } from '../database/lost-race.js'
import { isDatabaseBusy, isStoreGone } from '../database/store-gone.js'
import { damageOf } from './damage.js'
import { ApiError, badRequest, conflict, notFound, TextError } from './errors.js'
import { sendJson, sendPlain } from './send.js'

/** Converts a thrown error into the error body that clients parse; a 5xx shows no internal details. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const answer = answerOf(error)
  if (answer.status >= 500) logFailure(error, request, 'The request failed')
  if (reply.raw.headersSent) {
    reply.raw.destroy() // the stream broke off: only closing the connection can signal this
    return
  }
  reply.headers(answer.headers)
  if (answer instanceof TextError) void sendPlain(reply, answer.status, answer.text)
  else void sendJson(reply, answer.status, answer.body)
}

/** Logs why a request failed. What is damaged is logged once, not for each request that meets it. */
export function logFailure(error: Error, request: FastifyRequest, message: string): void {
  const fields = { err: error, request: request.id, route: routeOf(request) }
  const damage = damageOf(error, request)
  if (damage) warnOfDamage(request.log, damage.thing, fields, `${message}: ${damage.shown}`)
  else request.log.error(fields, message)
}

const DISK_FULL =
  '507 Insufficient Storage - The disk of the coordinator is full, and the request was not completed. Try again when an administrator has freed space'

const BUSY =
  '503 Service Unavailable - Another process has locked the database of the coordinator. Try again in some seconds'

/** For the log: without the URL, which may hold a credential. */
export function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'unknown'}`
}

/** The response for a thrown error. */
export function answerOf(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? error.code : undefined
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (code === 'FST_ERR_BAD_URL') return badRequest('the path is not encoded as it should be')
  if (status === 414) return new ApiError(414, { error: '414 Request-URI Too Long' })
  if (isStoreGone(error) || isDeadlock(error)) {
    return new ApiError(503, { message: '503 Service Unavailable' })
  }
  if (isDatabaseBusy(error)) return new ApiError(503, { message: BUSY }, { 'retry-after': '5' })
  if (isDiskFull(error)) return new ApiError(507, { message: DISK_FULL })
  if (error instanceof S3UnavailableError || error instanceof S3RefusedError) return bucketError(error)
  const damage = damageOf(error)
  if (damage) return new ApiError(500, { message: `500 Internal Server Error - ${damage.shown}` })
  if (isGone(error)) return notFound()
  if (isBrokenReference(error))
    return conflict('409 Conflict: a record that this refers to was deleted in the meantime')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError(413, { message: '413 Request Entity Too Large' })
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError(status, { error: error.message })
  }
  if (status === 503) return new ApiError(503, { message: '503 Service Unavailable' })
  return new ApiError(500, { message: '500 Internal Server Error' })
}

/** The message of the error is for the log: it names settings. */
function bucketError(error: S3UnavailableError | S3RefusedError): ApiError {
  const reason = error.reason === undefined ? '' : ` (${error.reason})`
  const advice = 'If this stays, ask an administrator: the log of the coordinator says what to do'
  return error instanceof S3UnavailableError
    ? new ApiError(503, {
        message: `503 Service Unavailable - The bucket for files does not respond${reason}. ${advice}`,
      })
    : new ApiError(500, {
        message: `500 Internal Server Error - The bucket for files cannot be used${reason}. ${advice}`,
      })
}
