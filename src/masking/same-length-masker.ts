import { ByteAutomaton } from './byte-automaton.js'
import { maskedForms } from './masked-forms.js'

/** A shorter value would match harmless text too often. Masked variables are at least this long. */
const MIN_SECRET_BYTES = 8
/**
 * Maximum size of all forms together, except for the values themselves. The forms of very long values are omitted.
 */
const MAX_ENCODED_BYTES = 256 * 1024
/** Small, because a coordinator keeps one automaton for each job that sends its log. */
const MAX_ROWS = 64

const MASK = Buffer.from('[MASKED]')
const FILL = 0x2a

/** Bytes and their position in the text. */
export interface PositionedBytes {
  position: number
  bytes: Buffer
}

/**
 * Replaces secrets, and their encoded forms (`maskedForms`), by `[MASKED]`, padded with `*` to the length of the
 * secret. All other bytes keep their positions. For text that is stored in pieces by processes that may be killed
 * between two pieces: only the end of the stored text is needed to continue.
 */
export class SameLengthMasker {
  private readonly automaton: ByteAutomaton
  /** Length of the longest form in bytes. */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    const forms = formsOf(secrets)
    this.automaton = new ByteAutomaton(forms, { maxRows: MAX_ROWS })
    this.longest = Math.max(0, ...forms.map(({ length }) => length))
  }

  /** Approximate size in memory, in bytes. */
  get byteSize(): number {
    return this.automaton.byteSize
  }

  /**
   * Continues after `stored`: the last `longest` - 1 bytes of the text, or all of them. `size` is that of the whole
   * text.
   */
  append(stored: Buffer, size: number): MaskedAppend {
    return new MaskedAppend(this.automaton, stored, size)
  }
}

/**
 * One piece of text before it is stored. The possible beginning of a secret is held until more text or `finish`
 * decides. If a secret turns out to begin in the stored text, that part is written again.
 */
export class MaskedAppend {
  private state = ByteAutomaton.ROOT
  /** Bytes from `start` on, masked as far as known. */
  private window: Buffer
  private start: number
  private end: number
  /** Bytes before this position are stored. Those from `changedFrom` on differ from the stored ones. */
  private stored: number
  private changedFrom = Infinity
  /** The last mask. */
  private masked = { from: 0, until: 0 }

  constructor(
    private readonly automaton: ByteAutomaton,
    stored: Buffer,
    size: number,
  ) {
    this.window = Buffer.from(stored)
    this.start = size - stored.length
    this.end = this.start
    this.stored = size
    this.scan(stored)
  }

  /** Position at which an incomplete secret may begin. The end of the text if there is none. */
  get pendingFrom(): number {
    return this.end - this.automaton.depth(this.state)
  }

  /** The bytes to write now, if any. */
  push(chunk: Buffer): PositionedBytes | undefined {
    this.window = Buffer.concat([this.window, chunk])
    this.scan(chunk)
    return this.output(this.pendingFrom)
  }

  /** The remaining bytes, if no secret was completed. */
  finish(): PositionedBytes | undefined {
    return this.output(this.end)
  }

  private scan(chunk: Buffer): void {
    const offset = this.end
    let index = 0
    while (index < chunk.length) {
      const progress = this.automaton.scan(chunk, index, this.state)
      ;({ index, state: this.state } = progress)
      this.end = offset + index
      if (!progress.isMatch) break
      this.mask(this.end - this.automaton.matchLength(this.state), this.end)
    }
  }

  /** An occurrence that begins inside the last mask extends it. One that began earlier replaces it. */
  private mask(from: number, end: number): void {
    const isContinued = from >= this.masked.from && from < this.masked.until
    const first = isContinued ? Math.min(this.masked.until, end) : from
    this.window.fill(FILL, first - this.start, end - this.start)
    if (!isContinued) MASK.copy(this.window, first - this.start, 0, Math.min(MASK.length, end - first))
    this.changedFrom = Math.min(this.changedFrom, first)
    this.masked = { from: isContinued ? this.masked.from : from, until: Math.max(this.masked.until, end) }
  }

  private output(until: number): PositionedBytes | undefined {
    const position = Math.min(this.changedFrom, this.stored)
    if (until <= position) return undefined
    const bytes = this.window.subarray(position - this.start, until - this.start)
    const isMoreChanged = this.masked.until > until && until < this.stored
    this.changedFrom = isMoreChanged ? until : Infinity
    this.stored = Math.max(this.stored, until)
    this.window = this.window.subarray(until - this.start)
    this.start = until
    return { position, bytes }
  }
}

function formsOf(secrets: readonly string[]): Buffer[] {
  const values = secrets
    .map((secret) => secret.trim())
    .filter((value) => Buffer.byteLength(value) >= MIN_SECRET_BYTES)
  const plain = new Set(values)
  let room = MAX_ENCODED_BYTES
  const encoded = maskedForms(values)
    .filter((form) => !plain.has(form) && Buffer.byteLength(form) >= MIN_SECRET_BYTES)
    .sort((one, other) => one.length - other.length)
    .filter((form) => (room -= form.length) >= 0)
  return [...plain, ...encoded].map((form) => Buffer.from(form))
}
