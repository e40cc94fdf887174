import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { Busboy } from '@fastify/busboy'

import { deferred } from '../../../../lib/deferred.js'
import { ApiError, badRequest } from '../../../http/errors.js'

/** Name of the one part that an upload has (runner protocol, 5.1). */
const FILE_FIELD = 'file'
const DEFAULT_FILENAME = 'artifacts.zip'

/**
 * Reads a multipart request that contains one file and streams the file into `store`. Throws 400 for any
 * other shape, and passes on errors of `store`. After a failure the rest of the request is discarded, because
 * a client that is still sending would not read the answer otherwise.
 */
export async function readUpload<T>(
  request: IncomingMessage,
  store: (filename: string, body: Readable) => Promise<T>,
): Promise<T> {
  const parser = createParser(request)
  const finished = deferred<T>()
  let file: { body: Readable; stored: Promise<T> } | undefined

  const fail = (error: Error): void => {
    file?.body.destroy(error) // otherwise `store` would wait for the rest of the file
    finished.reject(error)
  }
  parser.on('file', (field, body, filename) => {
    if (field !== FILE_FIELD || file) {
      body.resume()
      fail(badRequest(`The request must contain exactly one file, named ${FILE_FIELD}`))
      return
    }
    file = { body, stored: store(filename || DEFAULT_FILENAME, body) }
    file.stored.catch(finished.reject)
  })
  parser.on('finish', () => {
    if (file) file.stored.then(finished.resolve, finished.reject)
    else fail(badRequest(`The request contains no file named ${FILE_FIELD}`))
  })
  parser.on('error', (error) => fail(malformed(error)))
  request.once('error', fail)
  request.once('close', () => {
    if (!request.complete) fail(malformed(new Error('The client closed the connection during the upload')))
  })
  request.pipe(parser)

  try {
    return await finished.promise
  } finally {
    request.off('error', fail)
    request.unpipe(parser)
    request.resume()
  }
}

function createParser(request: IncomingMessage) {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': contentType } })
  } catch (error) {
    request.resume()
    throw malformed(error)
  }
}

function malformed(cause: unknown): ApiError {
  return new ApiError(400, { error: 'message body does not match declared format' }, {}, { cause })
}
