const NEWLINE = 0x0a
const CHUNK_BYTES = 64 * 1024

export interface TextFile {
  /** In bytes. */
  size: number
  /** The bytes from `start` up to, but not including, `end`. */
  read: (start: number, end: number) => Promise<Buffer>
}

/**
 * The lines of a text without their newlines, the last one first. The text is read in pieces from the end, so the
 * caller can stop at any line. Returns only the last `maxLineBytes` bytes of a longer line.
 */
export async function* linesFromEnd(file: TextFile, maxLineBytes: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = file.size; end > 0;) {
    const start = Math.max(0, end - CHUNK_BYTES)
    let bytes = Buffer.concat([await file.read(start, end), rest])
    for (let at = bytes.lastIndexOf(NEWLINE); at >= 0; at = bytes.lastIndexOf(NEWLINE)) {
      yield lastBytes(bytes.subarray(at + 1), maxLineBytes).toString()
      bytes = bytes.subarray(0, at)
    }
    rest = lastBytes(bytes, maxLineBytes)
    end = start
  }
  if (file.size > 0) yield rest.toString()
}

function lastBytes(line: Buffer, maxBytes: number): Buffer {
  return line.length > maxBytes ? line.subarray(line.length - maxBytes) : line
}
