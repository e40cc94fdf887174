import { divideLine, plainText, type ShownPart } from './shown-line.js'

/** A line as it is shown: with the sequences for styles and links, and without other control sequences. */
export interface LineText {
  text: string
  /** Whether the end of the text is left out. */
  isCut: boolean
  /** Number of texts that carriage returns replaced. */
  overwritten: number
  /** Whether the line has section markers and no visible text. */
  isMarker: boolean
  /** From a timestamp of the runner, in milliseconds since 1970. */
  time: number | undefined
}

/** Control sequences other than those for styles. */
// oxlint-disable-next-line no-control-regex
const OTHER_CONTROLS = /\x1b\[[0-?]*[ -/]*[@-ln-~]/g
// oxlint-disable-next-line no-control-regex
const STYLES = /\x1b\[[\d;:]*m/g
// oxlint-disable-next-line no-control-regex
const RESET = /^\x1b\[0*m$/
/** Styles of overwritten text that are kept for the text after it. */
const MAX_STYLES = 20

const CARRIAGE_RETURN = 0x0d
/** A line is kept whole up to this length, and divided at its end. */
const MAX_WHOLE_BYTES = 64 * 1024

/** Takes the bytes of one line after the other. The memory in use is limited however long a line is. */
export class LineCollector {
  private pieces: Buffer[] = []
  private length = 0
  private long: LongLine | undefined

  /** `maxBytes`: most bytes of the text of a line. */
  constructor(private maxBytes: number) {}

  /** Changes the limit of the lines that begin from now on. */
  limit(maxBytes: number): void {
    this.maxBytes = maxBytes
  }

  /** Takes more bytes of a line, without its newline. The buffer may be reused afterwards only after `take`. */
  push(piece: Buffer): void {
    this.length += piece.length
    if (this.long) return this.long.push(piece)
    this.pieces.push(piece)
    if (this.length <= Math.max(this.maxBytes, MAX_WHOLE_BYTES)) return
    this.long = new LongLine(this.maxBytes)
    for (const each of this.pieces) this.long.push(each)
    this.pieces = []
  }

  /** Number of bytes of the current line. */
  get size(): number {
    return this.length
  }

  /** Ends the line. */
  take(): LineText {
    const { pieces, long, maxBytes } = this
    this.pieces = []
    this.length = 0
    this.long = undefined
    if (long) return long.take()
    const [only] = pieces
    return lineText(pieces.length === 1 && only ? only : Buffer.concat(pieces), maxBytes)
  }
}

/**
 * A line that is too long to keep. It is treated like others, except that a section marker counts as text that was
 * overwritten, and that only the last overwritten text leaves its style.
 */
class LongLine {
  private current: Beginning
  private previous: Beginning | undefined
  private overwritten = 0

  constructor(private readonly maxBytes: number) {
    this.current = new Beginning(maxBytes)
  }

  push(piece: Buffer): void {
    let from = 0
    for (let at = piece.indexOf(CARRIAGE_RETURN); at >= 0; at = piece.indexOf(CARRIAGE_RETURN, from)) {
      this.current.push(piece.subarray(from, at))
      this.endText()
      from = at + 1
    }
    this.current.push(piece.subarray(from))
  }

  take(): LineText {
    this.endText()
    const { bytes, isCut } = this.previous ?? this.current
    const line = lineText(bytes, this.maxBytes)
    return { ...line, isCut: isCut || line.isCut, overwritten: Math.max(0, this.overwritten - 1) }
  }

  private endText(): void {
    if (this.current.isEmpty) return
    this.overwritten++
    this.previous = this.current
    this.current = new Beginning(this.maxBytes)
  }
}

/** A timestamp and a character more than are shown. */
const SPARE_BYTES = 64

/** The first bytes of a text. */
class Beginning {
  private readonly pieces: Buffer[] = []
  private readonly room: number
  private kept = 0
  private length = 0

  constructor(maxBytes: number) {
    this.room = maxBytes + SPARE_BYTES
  }

  push(piece: Buffer): void {
    this.length += piece.length
    if (piece.length === 0 || this.kept >= this.room) return
    const first = Buffer.from(piece.subarray(0, this.room - this.kept))
    this.pieces.push(first)
    this.kept += first.length
  }

  get isEmpty(): boolean {
    return this.length === 0
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces)
  }

  get isCut(): boolean {
    return this.length > this.kept
  }
}

/**
 * The text of a line without its newline, at most `maxBytes` of it. What is not UTF-8 becomes U+FFFD.
 */
export function lineText(line: Buffer, maxBytes: number): LineText {
  const { parts, hidden, overwritten, time, hasMarker } = divideLine(line, 0, line.length)
  const shown = firstBytes(line, parts, maxBytes)
  const text = shown.map(({ start, end }) => line.toString('utf8', start, end)).join('')
  return {
    text: stylesOf(line, hidden) + text.replace(OTHER_CONTROLS, ''),
    isCut: sizeOf(shown) < sizeOf(parts),
    overwritten,
    isMarker: hasMarker && plainText(text).trim() === '',
    time,
  }
}

/** The sequences in overwritten text that select the style of the text after it. */
function stylesOf(line: Buffer, hidden: readonly ShownPart[]): string {
  if (hidden.length === 0) return ''
  const styles = hidden.flatMap(({ start, end }) => line.toString('latin1', start, end).match(STYLES) ?? [])
  const reset = styles.findLastIndex((style) => RESET.test(style))
  return styles.slice(Math.max(reset, 0, styles.length - MAX_STYLES)).join('')
}

function firstBytes(line: Buffer, parts: readonly ShownPart[], maxBytes: number): ShownPart[] {
  const first: ShownPart[] = []
  let left = maxBytes
  for (const { start, end } of parts) {
    if (left <= 0) break
    first.push({ start, end: end - start <= left ? end : characterStart(line, start + left, start) })
    left -= end - start
  }
  return first
}

/** The beginning of the character that `at` is in the middle of. */
function characterStart(bytes: Buffer, at: number, from: number): number {
  let start = at
  while (start > from && start > at - 3 && isContinuation(bytes[start])) start--
  return isContinuation(bytes[start]) ? at : start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function sizeOf(parts: readonly ShownPart[]): number {
  return parts.reduce((sum, { start, end }) => sum + end - start, 0)
}
