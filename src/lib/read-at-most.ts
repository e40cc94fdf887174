import { SwitchyardError } from './errors.js'

/** A peer sent more bytes than the reader accepts. */
export class TooManyBytesError extends SwitchyardError {
  readonly name = 'TooManyBytesError'
  readonly code = 'TOO_MANY_BYTES'

  /** `maxBytes` is the limit that was exceeded. */
  constructor(readonly maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes`)
  }
}

/**
 * Reads all bytes of a stream, with at most `maxBytes` in memory. For a longer stream, `fail` throws
 * `TooManyBytesError`, and `cut` returns the first `maxBytes` bytes.
 */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  whenLonger: 'fail' | 'cut' = 'fail',
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (whenLonger === 'fail') throw new TooManyBytesError(maxBytes)
    else {
      chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)))
      break
    }
  }
  return Buffer.concat(chunks)
}
