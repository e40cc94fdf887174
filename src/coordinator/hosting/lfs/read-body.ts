import type { IncomingMessage } from 'node:http'

import type { Static, TObject } from 'typebox'

import { isRecord } from '../../../lib/is-record.js'
import { readAtMost, TooManyBytesError } from '../../../lib/read-at-most.js'
import { ApiError } from '../../http/errors.js'
import { readerFor } from '../../http/parameters/compile-parameters.js'
import { lfsError } from './lfs-error.js'

/** Larger than any request with as many objects as are allowed. */
const MAX_BYTES = 512 * 1024

/**
 * The bytes of a request. When the reader stops early, the rest is thrown away: clients read the response only
 * after they have sent everything.
 */
export async function* bytesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } finally {
    request.resume()
  }
}

/** Returns a function that reads a JSON body; it throws `LfsError` for one that is too large or invalid. */
export function bodyReader<Schema extends TObject>(
  schema: Schema,
): (request: IncomingMessage) => Promise<Static<Schema>> {
  const read = readerOrRefuse(schema)
  return async (request) => read(parsed(await readText(request)))
}

/** Like `readerFor`; throws `LfsError` 422. */
export function readerOrRefuse<Schema extends TObject>(
  schema: Schema,
): (given: Record<string, unknown>) => Static<Schema> {
  const read = readerFor(schema)
  return (given) => {
    try {
      return read(given)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw lfsError('lfs_request_invalid', { problem: String(error.body['error']) })
    }
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  try {
    return (await readAtMost(bytesOf(request), MAX_BYTES)).toString()
  } catch (error) {
    if (!(error instanceof TooManyBytesError)) throw error
    throw lfsError('lfs_request_too_large', { max: MAX_BYTES })
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The response is the same as for JSON of another type.
  }
  throw lfsError('lfs_request_malformed')
}
