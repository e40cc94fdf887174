import { Transform } from 'node:stream'

import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler } from 'fastify'

import type { ReadCaller } from '../authentication/caller.js'
import { type ApiError, apiError } from '../errors.js'
import type { Operation } from '../operation.js'
import { givenParameters } from '../parameters/parameter-source.js'
import { fileLimits, isMultipart } from '../parameters/with-files.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Maximum bytes of a parsed multipart body, if lower than the limit of the route. */
    multipartLimit: number | undefined
  }
}

/**
 * Maximum bytes of a body that is parsed before authentication. Parsing them takes milliseconds. The longest
 * usual requests of runners and jobs, whose token is in the body, have a tenth of this size.
 */
export const UNAUTHENTICATED_BODY_LIMIT = 64 * 1024

/** Call it once for the application, before `limitUnauthenticatedBody`. */
export function decorateWithMultipartLimit(app: FastifyInstance): void {
  app.decorateRequest('multipartLimit', undefined)
}

/**
 * A hook that authenticates by headers, path and query before it reads a body above
 * `UNAUTHENTICATED_BODY_LIMIT`. Without a valid credential, a longer body is not parsed: 413. A shorter body
 * is parsed first, because it may contain the token. An operation that takes files reads a multipart body
 * itself, after authentication.
 */
export function limitUnauthenticatedBody(
  { path, params, identifies }: Pick<Operation, 'path' | 'params' | 'identifies'>,
  readCaller: ReadCaller,
): preParsingAsyncHookHandler {
  const takesFiles = fileLimits(params).size > 0
  return async (request, _reply, payload) => {
    if (!mayBeLong(request) || (takesFiles && isMultipart(request))) return payload
    const given = givenParameters(request, path)
    const caller = await readCaller(request, given)
    if (caller.kind !== 'anonymous' || (await identifies?.(given))) return payload
    if (Number(request.headers['content-length']) > UNAUTHENTICATED_BODY_LIMIT) throw tooLong()
    request.multipartLimit = UNAUTHENTICATED_BODY_LIMIT
    return isMultipart(request) ? payload : limited(payload as NodeJS.ReadableStream)
  }
}

/** A body without a length is sent in chunks. */
function mayBeLong({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return length === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(length) > UNAUTHENTICATED_BODY_LIMIT
}

/** Fails at the limit. The request itself stays open, so that the client receives the response. */
function limited(payload: NodeJS.ReadableStream): Transform {
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > UNAUTHENTICATED_BODY_LIMIT) done(tooLong())
      else done(null, chunk)
    },
  })
  payload.on('error', (error: Error) => counter.destroy(error))
  counter.on('close', () => payload.unpipe(counter).resume())
  return payload.pipe(counter)
}

function tooLong(): ApiError {
  return apiError('anonymous_body_too_large', { max: UNAUTHENTICATED_BODY_LIMIT })
}
