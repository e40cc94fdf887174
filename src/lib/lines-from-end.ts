const NEWLINE = 0x0a
const CHUNK_BYTES = 64 * 1024

export interface TextFile {
  /** Bytes. */
  size: number
  /** The bytes from `start` up to, not including, `end`. */
  read: (start: number, end: number) => Promise<Buffer>
}

/**
 * The lines of a text, the last one first, without their newlines; read in pieces from the end, so that whoever has
 * found the line is done. Of a line of more than `maxLineBytes` only that much of its end is given.
 */
export async function* linesFromEnd(file: TextFile, maxLineBytes: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = file.size; end > 0;) {
    const start = Math.max(0, end - CHUNK_BYTES)
    let bytes = Buffer.concat([await file.read(start, end), rest])
    for (let at = bytes.lastIndexOf(NEWLINE); at >= 0; at = bytes.lastIndexOf(NEWLINE)) {
      yield endOf(bytes.subarray(at + 1), maxLineBytes).toString()
      bytes = bytes.subarray(0, at)
    }
    rest = endOf(bytes, maxLineBytes)
    end = start
  }
  if (file.size > 0) yield rest.toString()
}

function endOf(line: Buffer, maxBytes: number): Buffer {
  return line.length > maxBytes ? line.subarray(line.length - maxBytes) : line
}
