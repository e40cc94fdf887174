import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { Busboy } from '@fastify/busboy'

import { deferred } from '../../../../lib/deferred.js'
import { type ApiError, apiError } from '../../../http/errors.js'

/** Name of the one part that an upload has (runner protocol, 5.1). */
const FILE_FIELD = 'file'
const DEFAULT_FILENAME = 'artifacts.zip'

/** The fields of the form that have arrived. */
export interface UploadFields {
  values: ReadonlyMap<string, string>
  /** Resolves when the form has ended. */
  complete: Promise<void>
}

/** Maximum size of a field, in bytes. */
const MAX_FIELD_SIZE = 1024

/**
 * Reads a multipart request that contains one file, among fields, and streams the file into `store`. Throws 400 for any
 * other shape, and passes on errors of `store`. After a failure the rest of the request is discarded, because
 * a client that is still sending would not read the response otherwise.
 */
export async function readUpload<T>(
  request: IncomingMessage,
  store: (filename: string, body: Readable, fields: UploadFields) => Promise<T>,
): Promise<T> {
  const parser = createParser(request)
  const finished = deferred<T>()
  const values = new Map<string, string>()
  const complete = deferred()
  complete.promise.catch(() => undefined)
  let file: { body: Readable; stored: Promise<T> } | undefined

  const fail = (error: Error): void => {
    file?.body.destroy(error) // otherwise `store` would wait for the rest of the file
    finished.reject(error)
    complete.reject(error)
  }
  parser.on('field', (name, value) => values.set(name, value))
  parser.on('file', (field, body, filename) => {
    if (field !== FILE_FIELD || file) {
      body.resume()
      fail(apiError('artifact_files_too_many', { field: FILE_FIELD }))
      return
    }
    file = { body, stored: store(filename || DEFAULT_FILENAME, body, { values, complete: complete.promise }) }
    file.stored.catch(finished.reject)
  })
  parser.on('finish', () => {
    complete.resolve()
    if (file) file.stored.then(finished.resolve, finished.reject)
    else fail(apiError('artifact_file_missing', { field: FILE_FIELD }))
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
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fields: 20, fieldNameSize: 100, fieldSize: MAX_FIELD_SIZE },
    })
  } catch (error) {
    request.resume()
    throw malformed(error)
  }
}

function malformed(cause: unknown): ApiError {
  return apiError('malformed_body', {}, { cause })
}
