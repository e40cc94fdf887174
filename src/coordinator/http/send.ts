import type { FastifyReply, FastifyRequest } from 'fastify'

import { entityTag, isNamedBy } from './entity-tag.js'
import { Answer, Page, type Paging, StreamAnswer } from './operation.js'
import { pagingHeaders } from './paging/paging.js'

/** Exactly this, without a charset: a widely used client compares the header for equality (API gaps, A9a). */
const JSON_TYPE = 'application/json'

export type Serialize = (status: number, body: unknown) => string

export interface SendOptions {
  /** Status of a result that does not bring its own. */
  status: number
  paging: Paging
  externalUrl: string
  serialize: Serialize
}

/** Sends what an operation's `run` came back with. */
export function sendResult(
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: SendOptions,
): FastifyReply {
  if (result instanceof StreamAnswer) {
    return noteRuntime(reply)
      .code(result.status)
      .headers(result.headers)
      .header('content-type', result.contentType)
      .send(result.body)
  }
  if (result instanceof Page) {
    const headers = pagingHeaders(options.paging, result, request, options.externalUrl)
    return sendBody(reply.headers(headers), options.status, result.rows, options.serialize)
  }
  if (result instanceof Answer) {
    return sendBody(reply.headers(result.headers), result.status, result.body, options.serialize)
  }
  return sendBody(reply, options.status, result, options.serialize)
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendBody(reply, status, body, serializeAnything)
}

export function sendPlain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return noteRuntime(reply).code(status).header('content-type', 'text/plain').send(text)
}

export const serializeAnything: Serialize = (_status, body) => JSON.stringify(body)

/** An answer without a body has no content type either: clients parse whatever calls itself JSON. */
function sendBody(reply: FastifyReply, status: number, body: unknown, serialize: Serialize): FastifyReply {
  noteRuntime(reply).code(status)
  if (body === undefined) return reply.send()
  const text = serialize(status, body)
  if (status === 200 && isReading(reply.request)) return sendTagged(reply, text)
  return sendText(status >= 400 ? reply.header('cache-control', 'no-cache') : reply, text)
}

/** A client that has the same already is told so, and nothing more (API gaps, A9). */
function sendTagged(reply: FastifyReply, text: string): FastifyReply {
  const tag = entityTag(text)
  reply.header('etag', tag).header('cache-control', 'max-age=0, private, must-revalidate')
  return isNamedBy(tag, reply.request.headers['if-none-match'])
    ? reply.code(304).send()
    : sendText(reply, text)
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).serializer(unchanged).send(text)
}

/** It is a text already; without a serializer of its own the answer's type would get a charset. */
function unchanged(text: unknown): string {
  return String(text)
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Seconds until there was something to send. */
function noteRuntime(reply: FastifyReply): FastifyReply {
  return reply.header('x-runtime', (reply.elapsedTime / 1000).toFixed(6))
}
