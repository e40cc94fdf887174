import type { Readable } from 'node:stream'

import { errorCodes, type FastifyRequest } from 'fastify'

/**
 * Reads a body. `check` reads each chunk as it arrives and throws an error for a body that is refused. The length is
 * limited as Fastify does it: 413. After an error the rest
 * of the request is discarded, because a client that is still sending would not read the response otherwise.
 */
export async function readCheckedBody(
  request: FastifyRequest,
  payload: Readable & { receivedEncodedLength?: number },
  check: (chunk: Buffer) => void,
): Promise<string> {
  const { bodyLimit } = request.routeOptions
  const announced = Number(request.headers['content-length'])
  if (announced > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const chunks: Buffer[] = []
  let length = 0
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      try {
        length += chunk.length
        if (length > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
        check(chunk)
        chunks.push(chunk)
      } catch (error) {
        payload.off('data', onData).resume()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    payload
      .on('data', onData)
      .once('end', resolve)
      .once('error', (error: Error) => reject(brokenOff(error)))
  })
  if (!Number.isNaN(announced) && (payload.receivedEncodedLength ?? length) !== announced) {
    throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  }
  return Buffer.concat(chunks, length).toString('utf8')
}

/** A client that breaks off its body is no failure of the server. */
function brokenOff(error: Error): Error {
  return 'statusCode' in error ? error : Object.assign(error, { statusCode: 400 })
}
