const CHUNK_BYTES = 64 * 1024

/** Merges small chunks, because each chunk has the same cost in every later stage, whatever its size is. */
export async function* coalesce(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    kept.push(chunk)
    bytes += chunk.length
    if (bytes < CHUNK_BYTES) continue
    yield kept.length === 1 ? chunk : Buffer.concat(kept)
    kept = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(kept)
}
