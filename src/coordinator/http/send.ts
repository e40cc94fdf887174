import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { compressedStream, isCompressible, sendCompressed, varyByEncoding } from './compress.js'
import { entityTag, isNamedBy } from './entity-tag.js'
import { isLargeList, serializeInTurns } from './large-list.js'
import { ApiResponse, StreamResponse } from './operation.js'
import { Page, type Paging } from './page.js'
import { pagingHeaders } from './paging/paging.js'

/** Exactly this, without a charset: a widely used client compares the header for equality (API, A9a). */
const JSON_TYPE = 'application/json'

export type Serialize = (status: number, body: unknown) => string

export interface RenderOptions {
  /** Status of a result without its own status. */
  status: number
  paging: Paging
  externalUrl: string
  serialize: Serialize
}

/** A complete response, without the headers that depend on the request. */
export interface TextResponse {
  status: number
  headers: Record<string, string>
  /** Undefined for a response without a body. */
  text: string | undefined
  /** The ETag of the text. */
  tag: string | undefined
}

/** Converts the result of an operation's `run` into a response; a promise of one if that takes several turns. */
export function renderResult(
  result: unknown,
  request: FastifyRequest,
  options: RenderOptions,
): TextResponse | StreamResponse | Promise<TextResponse | StreamResponse> {
  if (result instanceof StreamResponse) return result
  const { status, body, headers } = responseOf(result, request, options)
  if (status === 200 && isReading(request) && isLargeList(body))
    return renderLargeList(body, request, headers)
  const text = body === undefined ? undefined : options.serialize(status, body)
  return textResponse(request, status, headers, text)
}

export function sendResponse(response: TextResponse | StreamResponse, reply: FastifyReply): FastifyReply {
  return response instanceof StreamResponse ? sendStream(response, reply) : sendText(response, reply)
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(textResponse(reply.request, status, {}, JSON.stringify(body)), reply)
}

export function sendPlain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return recordRuntime(reply).code(status).header('content-type', 'text/plain').send(text)
}

export const serializeAnything: Serialize = (_status, body) => JSON.stringify(body)

function responseOf(result: unknown, request: FastifyRequest, options: RenderOptions): ApiResponse {
  const { status, paging, externalUrl } = options
  if (result instanceof ApiResponse) return result
  if (!(result instanceof Page)) return new ApiResponse(status, result)
  return new ApiResponse(status, result.rows, pagingHeaders(paging, result, request, externalUrl))
}

/**
 * A response without a body has no content type, because clients parse everything that is declared as JSON.
 */
function textResponse(
  request: FastifyRequest,
  status: number,
  headers: Record<string, string>,
  text: string | undefined,
): TextResponse {
  if (text === undefined) return { status, headers, text, tag: undefined }
  if (status === 200 && isReading(request)) {
    const tag = entityTag(text)
    return { status, headers: { ...headers, etag: tag, 'cache-control': REVALIDATED }, text, tag }
  }
  const more = status >= 400 ? { ...headers, 'cache-control': 'no-cache' } : headers
  return { status, headers: more, text, tag: undefined }
}

/** As `textResponse`, for a list that is sent in pieces. */
async function renderLargeList(
  rows: object[],
  request: FastifyRequest,
  more: Record<string, string>,
): Promise<TextResponse | StreamResponse> {
  const list = await serializeInTurns(rows)
  const headers = { ...more, etag: list.tag, 'cache-control': REVALIDATED }
  if (isNamedBy(list.tag, request.headers['if-none-match']))
    return { status: 304, headers, text: undefined, tag: undefined }
  return new StreamResponse(Readable.from(list.json), JSON_TYPE, headers)
}

const REVALIDATED = 'max-age=0, private, must-revalidate'

/** Responds with 304 when the client already has this text (API, A9). */
function sendText({ status, headers, text, tag }: TextResponse, reply: FastifyReply): FastifyReply {
  recordRuntime(reply).code(status).headers(headers)
  if (text === undefined) return reply.send()
  const isPacked = isCompressible(reply.request, text)
  if (isPacked) varyByEncoding(reply)
  if (tag !== undefined && isNamedBy(tag, reply.request.headers['if-none-match']))
    return reply.code(304).send()
  reply.header('content-type', JSON_TYPE).serializer(unchanged)
  return isPacked ? sendCompressed(reply, text) : reply.send(text)
}

/** The value is already serialized; without its own serializer, the content type would get a charset. */
function unchanged(text: unknown): string {
  return String(text)
}

/** Sends a stream; its headers alone for a HEAD request. */
export function sendStream(
  { status, headers, contentType, body }: StreamResponse,
  reply: FastifyReply,
): FastifyReply {
  recordRuntime(reply).code(status).headers(headers).header('content-type', contentType)
  const isWhole = contentType === JSON_TYPE && headers['content-length'] === undefined
  const sent = reply.request.method === 'HEAD' ? unread(body) : body
  return reply.send(isWhole ? compressedStream(reply, sent) : sent)
}

/** Fastify reads a body to the end before it serves a HEAD request, so it receives an empty one. */
function unread(body: Readable): Readable {
  body.destroy()
  return Readable.from([])
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Records the seconds until the response could be sent. */
function recordRuntime(reply: FastifyReply): FastifyReply {
  return reply.header(RUNTIME_HEADER, runtimeOf(reply.elapsedTime))
}

export const RUNTIME_HEADER = 'x-runtime'

export function runtimeOf(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(6)
}
