import type { FastifyReply, FastifyRequest } from 'fastify'

import { Answer, Page, type Paging, StreamAnswer } from './operation.js'
import { pagingHeaders } from './paging.js'

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
    return reply
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

export const serializeAnything: Serialize = (_status, body) => JSON.stringify(body)

/** An answer without a body has no content type either: clients parse whatever calls itself JSON. */
function sendBody(reply: FastifyReply, status: number, body: unknown, serialize: Serialize): FastifyReply {
  if (body === undefined) return reply.code(status).send()
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .serializer((value: unknown) => serialize(status, value))
    .send(body)
}
