import { isIPv6 } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGzip, gzip } from 'node:zlib'

import type { FastifyReply, FastifyRequest } from 'fastify'

/** Characters from which JSON is compressed; shorter texts fit into few packets. */
const LEAST_LENGTH = 8 * 1024

/**
 * Whether a text may be compressed. A client on this machine gets it as it is, because that takes less time than to
 * compress and unpack it.
 */
export function isCompressible({ ip }: FastifyRequest, text: string): boolean {
  return text.length >= LEAST_LENGTH && isRemote(ip)
}

/** Sends a text that may be compressed, as gzip if the client accepts that. */
export function sendCompressed(reply: FastifyReply, text: string): FastifyReply {
  if (!acceptsGzip(reply.request)) return reply.send(text)
  gzip(text, (error, packed) => {
    if (error) reply.log.error({ err: error, requestId: reply.request.id }, 'Failed to compress a response')
    // The client may have disconnected since.
    else if (!reply.sent) reply.header('content-encoding', 'gzip')
    void reply.send(error ? text : packed)
  })
  return reply
}

/** The bytes of a JSON response of unknown length, as gzip if the client accepts that. */
export function compressedStream(reply: FastifyReply, body: Readable): Readable {
  if (!isRemote(reply.request.ip)) return body
  varyByEncoding(reply)
  if (!acceptsGzip(reply.request)) return body
  reply.header('content-encoding', 'gzip')
  // The reader of the stream receives errors of `body`.
  return pipeline(body, createGzip(), () => undefined)
}

function isRemote(ip: string): boolean {
  const address = isIPv6(ip) ? ip.replace(/^::ffff:/i, '') : ip
  return address !== '::1' && !address.startsWith('127.')
}

/** Whether `Accept-Encoding` has gzip, or `*`, with a weight above 0. */
function acceptsGzip({ headers }: FastifyRequest): boolean {
  const weights = new Map(
    (headers['accept-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', weight = 'q=1'] = part.split(';').map((each) => each.trim())
        return [coding, Number(weight.replace(/^q=/, ''))] as const
      }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

/** Call it for a response that may be compressed, so that no cache sends it to a client that does not accept gzip. */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
}
