import { TooManyBytesError } from './read-at-most.js'

const NEWLINE = 0x0a

/**
 * The lines of a stream as UTF-8, without their ends. Throws `TooManyBytesError` at a line of more than `maxBytes`.
 * The stream is destroyed when the caller leaves the loop.
 */
export async function* linesOf(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8')
      begun = []
      size = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    begun.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > maxBytes) throw new TooManyBytesError(maxBytes)
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
}
