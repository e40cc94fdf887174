import { ByteAutomaton } from './byte-automaton.js'
import { maskedForms } from './masked-forms.js'

/** A shorter value is found in innocent text too often. Masked variables have at least as many characters. */
const MIN_SECRET_BYTES = 8
/** Of all forms together, beyond the values themselves: the forms of very long values are left out. */
const MAX_ENCODED_BYTES = 256 * 1024
/** Few: a coordinator keeps one automaton for each job that sends its trace. */
const MAX_ROWS = 256

const MASK = Buffer.from('[MASKED]')
const FILL = 0x2a

/** Bytes and where they belong in the text. */
export interface PlacedBytes {
  position: number
  bytes: Buffer
}

/**
 * Replaces secrets, and their encoded forms (`maskedForms`), by `[MASKED]` filled up with `*` to the length of the
 * secret: all other bytes keep their positions. For text that is stored piece by piece, by processes that may be killed
 * between two pieces: nothing but the end of the stored text is needed to go on.
 */
export class SameLengthMasker {
  private readonly automaton: ByteAutomaton
  /** Bytes of the longest form. */
  readonly longest: number

  constructor(secrets: readonly string[]) {
    const forms = formsOf(secrets)
    this.automaton = new ByteAutomaton(forms, { maxRows: MAX_ROWS })
    this.longest = Math.max(0, ...forms.map(({ length }) => length))
  }

  /** Of memory, about. */
  get byteSize(): number {
    return this.automaton.byteSize
  }

  /** Goes on behind `stored`: the last bytes of the text, `longest` - 1 of them or all. `size`: of the whole text. */
  append(stored: Buffer, size: number): MaskedAppend {
    return new MaskedAppend(this.automaton, stored, size)
  }
}

/**
 * One piece of text on its way into the store. What might be the beginning of a secret waits until more text, or
 * `finish`, decides. When a secret turns out to have begun in the stored text, its part there is written again.
 */
export class MaskedAppend {
  private state = ByteAutomaton.ROOT
  /** Bytes from `start` on, masked as far as it is known. */
  private window: Buffer
  private start: number
  private end: number
  /** The bytes before are in the store; those from `changedFrom` on are different there. */
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

  /** Where a secret may have begun that the text so far does not complete; the end of the text when there is none. */
  get pendingFrom(): number {
    return this.end - this.automaton.depth(this.state)
  }

  /** What is to be written now, if anything. */
  push(chunk: Buffer): PlacedBytes | undefined {
    this.window = Buffer.concat([this.window, chunk])
    this.scan(chunk)
    return this.give(this.pendingFrom)
  }

  /** The rest: no secret was completed. */
  finish(): PlacedBytes | undefined {
    return this.give(this.end)
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

  /** An occurrence that begins inside the last mask continues it; one that began before it takes its place. */
  private mask(from: number, end: number): void {
    const isContinued = from >= this.masked.from && from < this.masked.until
    const first = isContinued ? Math.min(this.masked.until, end) : from
    this.window.fill(FILL, first - this.start, end - this.start)
    if (!isContinued) MASK.copy(this.window, first - this.start, 0, Math.min(MASK.length, end - first))
    this.changedFrom = Math.min(this.changedFrom, first)
    this.masked = { from: isContinued ? this.masked.from : from, until: Math.max(this.masked.until, end) }
  }

  private give(until: number): PlacedBytes | undefined {
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
