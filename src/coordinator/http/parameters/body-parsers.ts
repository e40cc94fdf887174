import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'

import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { isRecord } from '../../../lib/is-record.js'
import { ApiError, invalidParameters } from '../errors.js'
import { foldForm } from './fold-form.js'

/** Bodies that hold parameters: JSON, both kinds of form, or nothing (API gaps, A5). */
export function parseParameterBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    settle(done, () => parseJson(body.toString())),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => settle(done, () => foldForm(new URLSearchParams(body.toString()))),
  )
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, body: IncomingMessage) =>
    readMultipartFields(body, request.headers['content-type'] ?? '', app.initialConfig.bodyLimit ?? Infinity),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) =>
    settle(done, () => refuseUnknown(body.toString(), request.headers['content-type'])),
  )
}

/** Bodies that the operation reads itself, as they arrive. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

function settle(done: (error: Error | null, body?: unknown) => void, parse: () => unknown): void {
  let body: unknown
  try {
    body = parse()
  } catch (error) {
    done(error instanceof ApiError ? error : invalidParameters('message body does not match declared format'))
    return
  }
  done(null, body)
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  const body: unknown = JSON.parse(text)
  if (body === null) return {}
  if (!isRecord(body)) throw invalidParameters('message body does not match declared format')
  return body
}

function refuseUnknown(body: string, contentType = ''): unknown {
  if (body === '') return {}
  throw new ApiError(415, { error: `The provided content-type '${contentType}' is not supported.` })
}

/** The fields of a multipart body; its files are read over, for no operation with parameters takes one. */
async function readMultipartFields(
  body: IncomingMessage,
  contentType: string,
  limit: number,
): Promise<Record<string, unknown>> {
  const pairs: [string, string][] = []
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: limit, fields: 1000, fieldNameSize: 1000 },
    })
    parser.on('field', (name, value) => pairs.push([name, value]))
    parser.on('file', (_name, file) => file.resume())
    await pipeline(body, parser)
  } catch (error) {
    throw new ApiError(400, { error: 'message body does not match declared format' }, {}, { cause: error })
  }
  return foldForm(pairs)
}
