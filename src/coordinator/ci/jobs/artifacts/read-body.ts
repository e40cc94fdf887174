import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

import { badRequest } from '../../../http/errors.js'

/**
 * Gives the body of a request to `store` while it arrives. A body that is broken off is an error of the stream. After a
 * failure the rest of the request is read over: a client that is still sending would otherwise not see the answer.
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
    if (!request.complete)
      body.destroy(badRequest('The connection was closed before the end of the request body'))
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
