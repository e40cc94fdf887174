import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { isRecord } from '../../../lib/is-record.js'
import { type ApiError, apiError, invalidParameters } from '../errors.js'
import { foldForm } from './fold-form.js'
import { JsonBounds } from './json-bounds.js'
import { readMultipartForm } from './multipart-form.js'
import { readCheckedBody } from './read-body.js'
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

/** In characters. */
const LARGE = 1024 * 1024

function parseSimpleBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  addJsonParser(app, ['application/json'])
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, body: Readable) =>
      foldForm(new URLSearchParams(await readCheckedBody(request, body, pairCounter()))),
  )
  addUnknownParser(app)
}

function addUnknownParser(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const isEmpty = body.length === 0
    done(isEmpty ? null : unknownType(request.headers['content-type']), isEmpty ? {} : undefined)
  })
}

/** Parsers for JSON with these content types alone, or an empty body. */
export function parseJsonBodies(app: FastifyInstance, types: string[]): void {
  app.removeAllContentTypeParsers()
  addJsonParser(app, types)
  addUnknownParser(app)
}

function addJsonParser(app: FastifyInstance, types: string[]): void {
  app.addContentTypeParser(types, async (request: FastifyRequest, body: Readable) => {
    const bounds = new JsonBounds()
    const text = await readCheckedBody(request, body, (chunk) => bounds.read(chunk))
    if (text.length < LARGE) return parseJson(text)
    // Decoding, parsing and use of a large body take tens of milliseconds each: others are served in between.
    await nextTurn()
    const parsed = parseJson(text)
    await nextTurn()
    return parsed
  })
}

/** Bodies that the operation reads itself, as they arrive. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

/** Names and values of a form. Each costs far more than its bytes; no client sends hundreds. */
const MAX_PAIRS = 4096
const SEPARATOR = '&'.charCodeAt(0)

/** Counts the values of a form while its bytes arrive. Throws 400 if there are too many. */
function pairCounter(): (chunk: Buffer) => void {
  let pairs = 1
  return (chunk) => {
    for (let at = chunk.indexOf(SEPARATOR); at >= 0; at = chunk.indexOf(SEPARATOR, at + 1)) {
      if (++pairs > MAX_PAIRS) throw invalidParameters(`a form has at most ${MAX_PAIRS} values`)
    }
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  const body = parseOrRefuse(text)
  if (body === null) return {}
  if (!isRecord(body)) throw malformed()
  return body
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(cause?: unknown): ApiError {
  return apiError('malformed_body', {}, { cause })
}

function unknownType(contentType = ''): ApiError {
  return apiError('unsupported_media_type', { type: contentType })
}
