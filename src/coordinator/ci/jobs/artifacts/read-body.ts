import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

import { apiError } from '../../../http/errors.js'

/**
 * Streams the body of a request into `store`. If the body is cut off, the stream fails. After a failure the
 * rest of the request is discarded, because a client that is still sending would not read the response
 * otherwise.
 */
export async function readBody<T>(
  request: IncomingMessage,
  store: (body: Readable) => Promise<T>,
): Promise<T> {
  const body = new PassThrough()
  const fail = (error: Error): void => {
    body.destroy(error)
  }
  request.once('error', fail)
  request.once('close', () => {
    if (!request.complete) body.destroy(apiError('incomplete_body'))
  })
  request.pipe(body)
  try {
    return await store(body)
  } finally {
    request.off('error', fail)
    request.unpipe(body)
    request.resume()
  }
}
