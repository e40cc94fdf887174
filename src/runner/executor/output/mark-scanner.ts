/** A mark that the job's container writes into its output. */
export interface FoundMark {
  text: string
  /** The output after the mark. */
  rest: Buffer
}

export interface Scanned {
  /** Output that is certain not to belong to a mark. */
  before: Buffer
  mark?: FoundMark
}

const NEWLINE = 0x0a
/** Maximum length of a mark. Longer text is output. */
const MAX_TEXT = 64

/**
 * Finds the first mark in the output of a script, which arrives in chunks: a NUL byte, the token of the job, a space, a
 * text, and the end of the line, because the engine stores whole lines only. Bytes that may be the beginning of a mark
 * are held back. A script that prints a mark harms its own job only.
 */
export class MarkScanner {
  private readonly beginning: Buffer

  /** `held`: bytes that another scanner of the same output held back. */
  constructor(
    token: string,
    private held: Buffer = Buffer.alloc(0),
  ) {
    this.beginning = Buffer.from(`\0${token} `)
  }

  /** The bytes that are held back. */
  get heldBytes(): Buffer {
    return this.held
  }

  push(chunk: Buffer): Scanned {
    // Most output has no NUL byte, and a single byte is found much faster than a longer text.
    if (this.held.length === 0 && !chunk.includes(0)) return { before: chunk }
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk])
    this.held = Buffer.alloc(0)
    for (let index = bytes.indexOf(this.beginning); index !== -1;) {
      const from = index + this.beginning.length
      const end = bytes.subarray(from, from + MAX_TEXT + 1).indexOf(NEWLINE)
      if (end !== -1) {
        const text = bytes.toString('latin1', from, from + end)
        return { before: bytes.subarray(0, index), mark: { text, rest: bytes.subarray(from + end + 1) } }
      }
      if (bytes.length - from <= MAX_TEXT) return this.hold(bytes, index)
      index = bytes.indexOf(this.beginning, from)
    }
    return this.hold(bytes, startOfPrefix(bytes, this.beginning))
  }

  /** The bytes that were held back. No more follow. */
  flush(): Buffer {
    const { held } = this
    this.held = Buffer.alloc(0)
    return held
  }

  private hold(bytes: Buffer, from: number): Scanned {
    this.held = Buffer.from(bytes.subarray(from))
    return { before: bytes.subarray(0, from) }
  }
}

/** Position of the bytes at the end that could still become `wanted`. The length if there are none. */
function startOfPrefix(bytes: Buffer, wanted: Buffer): number {
  const earliest = Math.max(0, bytes.length - wanted.length + 1)
  for (let at = bytes.indexOf(0, earliest); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (wanted.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at
  }
  return bytes.length
}
