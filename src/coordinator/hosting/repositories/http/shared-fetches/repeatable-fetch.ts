/** Bytes of a request for objects that may be compared with others. Those of clones are much shorter. */
const MAX_BYTES = 64 * 1024

/** Lines of a request that make its response depend on the refs of the repository, or on what the client has. */
const OWN = /^(have|want-ref|deepen-not) /

/** The beginning of a body, and all of it. */
export interface HeadOfBody {
  /** The whole body, unless it is longer than what may be compared. */
  whole: Buffer | undefined
  /** The bytes; they can be read again if the body is whole. */
  body: AsyncIterable<Buffer>
}

/** Reads as much of a body as may be compared with others. */
export async function readHead(body: AsyncIterable<Buffer>): Promise<HeadOfBody> {
  const chunks: Buffer[] = []
  let length = 0
  const source = body[Symbol.asyncIterator]()
  for (;;) {
    const next = await source.next()
    if (next.done) {
      const whole = Buffer.concat(chunks)
      return { whole, body: { [Symbol.asyncIterator]: () => only(whole) } }
    }
    chunks.push(next.value)
    length += next.value.length
    if (length > MAX_BYTES) return { whole: undefined, body: both(chunks, source) }
  }
}

/**
 * Whether git gives everybody who sends this request the same response: it asks for all objects of some commits and names
 * none that the client has, as a clone does. Every object of the repository may be fetched, so it depends on no ref.
 */
export function isRepeatable(request: Buffer): boolean {
  const lines = linesOf(request)
  return (
    lines !== undefined &&
    lines.some((line) => line.startsWith('want ')) &&
    lines.includes('done') &&
    !lines.some((line) => OWN.test(line))
  )
}

/** Undefined if it is not framed as git frames lines. */
function linesOf(request: Buffer): string[] | undefined {
  const lines: string[] = []
  let at = 0
  while (at < request.length) {
    const prefix = request.toString('latin1', at, at + 4)
    if (!/^[0-9a-f]{4}$/i.test(prefix)) return undefined
    // Lengths below 4 are marks between lines.
    const length = Math.max(4, Number.parseInt(prefix, 16))
    if (at + length > request.length) return undefined
    lines.push(request.toString('latin1', at + 4, at + length).trimEnd())
    at += length
  }
  return lines
}

async function* only(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk
}

async function* both(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
