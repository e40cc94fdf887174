import type { FastifyInstance, FastifyRequest } from 'fastify'

import { isRecord } from '../../../lib/is-record.js'
import { ApiError, invalidParameters } from '../errors.js'
import { foldForm } from './fold-form.js'
import { isTooDeep } from './is-too-deep.js'
import { readMultipartForm } from './multipart-form.js'
import type { UploadSpool } from './upload-spool.js'

/** Parsers for parameters in the body: JSON, both form encodings, or an empty body (API, A5). */
export function parseParameterBodies(app: FastifyInstance, spool: UploadSpool): void {
  parseSimpleBodies(app)
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
    const maxFieldBytes = request.multipartLimit ?? request.routeOptions.bodyLimit
    const rules = { maxFieldBytes, files: new Map<string, number>(), spool }
    const { values } = await readMultipartForm(request.raw, rules)
    return values
  })
}

/** Like `parseParameterBodies`, for operations that take files: they read multipart bodies themselves. */
export function parseBodiesWithoutFiles(app: FastifyInstance): void {
  parseSimpleBodies(app)
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

function parseSimpleBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    parseWith(done, () => parseJson(body.toString())),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => parseWith(done, () => parseForm(body.toString())),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) =>
    parseWith(done, () => refuseUnknown(body.toString(), request.headers['content-type'])),
  )
}

/** Bodies that the operation reads itself, as they arrive. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

function parseWith(done: (error: Error | null, body?: unknown) => void, parse: () => unknown): void {
  let body: unknown
  try {
    body = parse()
  } catch (error) {
    done(error instanceof ApiError ? error : invalidParameters('message body does not match declared format'))
    return
  }
  done(null, body)
}

/** Names and values of a form. Each costs far more than its bytes; no client sends hundreds. */
const MAXIMUM_PAIRS = 4096

function parseForm(text: string): unknown {
  const pairs = new URLSearchParams(text)
  if (pairs.size > MAXIMUM_PAIRS) throw invalidParameters(`a form has at most ${MAXIMUM_PAIRS} values`)
  return foldForm(pairs)
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  const body: unknown = JSON.parse(text)
  if (body === null) return {}
  if (!isRecord(body) || isTooDeep(body))
    throw invalidParameters('message body does not match declared format')
  return body
}

function refuseUnknown(body: string, contentType = ''): unknown {
  if (body === '') return {}
  throw new ApiError(415, { error: `The provided content-type '${contentType}' is not supported.` })
}
