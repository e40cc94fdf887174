import { isUtf8 } from 'node:buffer'

import { ByteAutomaton } from '../../masking/byte-automaton.js'

/**
 * A stage of processing for log bytes. Accepts chunks of any size, returns the bytes that are final, and the rest
 * at the end.
 */
export interface ByteFilter {
  push(chunk: Buffer): Buffer
  /** Ends the text and returns the bytes that were held back. The filter can be used again afterwards. */
  flush(): Buffer
}

const MASK = Buffer.from('[MASKED]')

/** Combines filters into one that applies them in order. */
export function chainFilters(filters: readonly ByteFilter[]): ByteFilter {
  return {
    push: (chunk) => filters.reduce((bytes, filter) => filter.push(bytes), chunk),
    flush: () =>
      filters.reduce<Buffer>(
        (bytes, filter) => Buffer.concat([filter.push(bytes), filter.flush()]),
        Buffer.alloc(0),
      ),
  }
}

/**
 * Replaces bytes that are not valid UTF-8 by U+FFFD. A character that is split over two writes is preserved (runner
 * protocol, 4.3).
 */
export class Utf8Repair implements ByteFilter {
  /** The beginning of an incomplete character: at most 3 bytes. */
  private begun: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Buffer {
    const bytes = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk])
    const end = startOfUnfinished(bytes)
    this.begun = bytes.subarray(end)
    return repaired(bytes.subarray(0, end))
  }

  flush(): Buffer {
    const rest = repaired(this.begun)
    this.begun = Buffer.alloc(0)
    return rest
  }
}

/**
 * Decoding may be split before any byte that begins a character: what is incomplete there is invalid in any case.
 */
function repaired(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  return Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
}

/** Position of an incomplete last character. The length if there is none. */
function startOfUnfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) break
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function lengthOfCharacter(firstByte: number): number {
  if (firstByte < 0xe0) return 2
  return firstByte < 0xf0 ? 3 : 4
}

/** A half-open range of positions in the whole text that belongs to a phrase. */
interface Covered {
  start: number
  end: number
}

/**
 * Replaces every occurrence of a phrase by `[MASKED]`, even if it is split over several writes (runner protocol,
 * 4.6). Overlapping occurrences become one mask, so that no byte of any occurrence is passed on.
 *
 * Positions count from the first byte of the text. `horizon` is the earliest position at which a phrase could still
 * begin. Bytes before it are final and passed on. Bytes after it are held, at most the length of the longest phrase
 * minus one.
 */
export class PhraseMasker implements ByteFilter {
  private readonly automaton: ByteAutomaton
  private state = ByteAutomaton.ROOT
  /** Bytes read and not passed on. The first of them has the position `given`. */
  private held: Buffer = Buffer.alloc(0)
  private given = 0
  /** End of the last mask written. An occurrence that overlaps it needs no new mask. */
  private maskedUntil = 0
  private covered: Covered[] = []

  constructor(phrases: readonly string[]) {
    this.automaton = new ByteAutomaton(phrases.map((phrase) => Buffer.from(phrase)))
  }

  push(chunk: Buffer): Buffer {
    const offset = this.given + this.held.length
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk])
    let index = 0
    while (index < chunk.length) {
      const progress = this.automaton.scan(chunk, index, this.state)
      ;({ index, state: this.state } = progress)
      if (!progress.isMatch) break
      const end = offset + index
      this.cover(end - this.automaton.matchLength(this.state), end)
    }
    return this.give(offset + chunk.length - this.automaton.depth(this.state))
  }

  flush(): Buffer {
    this.state = ByteAutomaton.ROOT
    return this.give(this.given + this.held.length)
  }

  private cover(from: number, end: number): void {
    let start = from
    for (let last = this.covered.at(-1); last && last.end > start; last = this.covered.at(-1)) {
      start = Math.min(start, last.start)
      this.covered.pop()
    }
    this.covered.push({ start, end })
  }

  /** Passes on everything before `horizon`: plain bytes unchanged, each covered range as one mask. */
  private give(horizon: number): Buffer {
    const parts: Buffer[] = []
    let done = 0
    while (this.given < horizon) {
      const mask = this.covered[done]
      if (!mask || mask.start >= horizon) {
        parts.push(this.take(horizon))
        break
      }
      parts.push(this.take(mask.start))
      if (mask.start >= this.maskedUntil) parts.push(MASK)
      this.maskedUntil = mask.end
      this.take(Math.min(mask.end, horizon))
      // A range that extends beyond the horizon is kept, because an occurrence that overlaps its end belongs to the
      // same mask.
      if (mask.end > horizon) mask.start = horizon
      else done++
    }
    this.covered.splice(0, done)
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  private take(until: number): Buffer {
    const bytes = this.held.subarray(0, Math.max(0, until - this.given))
    this.held = this.held.subarray(bytes.length)
    this.given += bytes.length
    return bytes
  }
}

export interface SecretRun {
  /** The text before a secret, which stays visible. */
  introductions: readonly string[]
  ignoreCase: boolean
  /** Whether a byte still belongs to the secret. */
  continues: (byte: number) => boolean
}

/**
 * Masks the text after certain introductions for as long as it looks like a secret (runner protocol, 4.6). This
 * covers tokens by prefix, and URL parameters by name. Holds no bytes back, because the introduction may be
 * visible.
 */
export class SecretRunMasker implements ByteFilter {
  private readonly automaton: ByteAutomaton
  private readonly continues: Uint8Array
  private state = ByteAutomaton.ROOT
  private run: 'none' | 'expected' | 'inside' = 'none'

  constructor({ introductions, ignoreCase, continues }: SecretRun) {
    const fold = (text: string) => Buffer.from(ignoreCase ? text.toLowerCase() : text)
    this.automaton = new ByteAutomaton(introductions.map(fold), { ignoreCase })
    this.continues = Uint8Array.from({ length: 256 }, (_, byte) => (continues(byte) ? 1 : 0))
  }

  push(chunk: Buffer): Buffer {
    const parts: Buffer[] = []
    let plainFrom = 0
    let index = 0
    while (index < chunk.length) {
      const end = this.run === 'none' ? index : this.endOfRun(chunk, index)
      if (end > index) {
        if (this.run === 'expected') parts.push(chunk.subarray(plainFrom, index), MASK)
        this.run = 'inside'
        plainFrom = end
      }
      if (end === chunk.length) break
      index = this.seekIntroduction(chunk, end)
    }
    parts.push(chunk.subarray(plainFrom))
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  flush(): Buffer {
    this.state = ByteAutomaton.ROOT
    this.run = 'none'
    return Buffer.alloc(0)
  }

  private endOfRun(chunk: Buffer, start: number): number {
    let end = start
    while (end < chunk.length && this.continues[chunk[end]!] === 1) end++
    return end
  }

  /** Continues after the next introduction, or at the end of the chunk. */
  private seekIntroduction(chunk: Buffer, start: number): number {
    const { index, state, isMatch } = this.automaton.scan(chunk, start, this.state)
    this.state = isMatch ? ByteAutomaton.ROOT : state
    this.run = isMatch ? 'expected' : 'none'
    return index
  }
}

/** Maximum length of `user:password@host`. A longer text without an end is not an authority. */
const MAX_AUTHORITY_BYTES = 4096
/** A name of this length before the `@`, without a password, is a token and not a user name. */
const MIN_TOKEN_BYTES = 20

const COLON = 0x3a
const SLASH = 0x2f
const AT = 0x40
const SCHEME_END = Buffer.from('://')
/** Space, control characters, and characters that end or cannot be part of the authority of a URL. */
const ENDS_AUTHORITY = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= 0x20 || byte === 0x7f || '/?#"<>`\\'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Masks the password of `scheme://user:password@host`, and a token in its place. The last `@` before the path
 * counts, because a password may contain others.
 *
 *     outside ── "://" ──▶ authority, held back ── end or 4096 bytes ──▶ passed on, masked ──▶ outside
 */
export class UrlCredentialsMasker implements ByteFilter {
  /** Number of bytes of "://" that were read last. */
  private seen = 0
  /** The text after "://", while it may still contain a password. */
  private authority: Buffer | undefined

  push(chunk: Buffer): Buffer {
    const parts: Buffer[] = []
    let index = 0
    while (index < chunk.length) {
      index = this.authority ? this.readAuthority(chunk, index, parts) : this.seek(chunk, index, parts)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  flush(): Buffer {
    const rest = this.authority ? maskCredentials(this.authority) : Buffer.alloc(0)
    this.authority = undefined
    this.seen = 0
    return rest
  }

  /** Continues after the next "://". */
  private seek(chunk: Buffer, start: number, parts: Buffer[]): number {
    const index = this.seen > 0 ? this.matchRest(chunk, start) : this.find(chunk, start)
    parts.push(chunk.subarray(start, index))
    if (this.seen === SCHEME_END.length) {
      this.seen = 0
      this.authority = Buffer.alloc(0)
    }
    return index
  }

  /** The search within one chunk is native. A match that may continue in the next chunk is counted. */
  private find(chunk: Buffer, start: number): number {
    const found = chunk.indexOf(SCHEME_END, start)
    if (found !== -1) {
      this.seen = SCHEME_END.length
      return found + SCHEME_END.length
    }
    if (chunk.at(-1) === COLON) this.seen = 1
    else if (chunk.length - start >= 2 && chunk.at(-1) === SLASH && chunk.at(-2) === COLON) this.seen = 2
    return chunk.length
  }

  private matchRest(chunk: Buffer, start: number): number {
    let index = start
    while (index < chunk.length && this.seen > 0 && this.seen < SCHEME_END.length) {
      if (chunk[index] === SCHEME_END[this.seen]) this.seen++
      else this.seen = chunk[index] === COLON ? 1 : 0
      index++
    }
    return index
  }

  private readAuthority(chunk: Buffer, start: number, parts: Buffer[]): number {
    const before = this.authority ?? Buffer.alloc(0)
    const limit = Math.min(chunk.length, start + MAX_AUTHORITY_BYTES - before.length)
    let end = start
    while (end < limit && ENDS_AUTHORITY[chunk[end]!] === 0) end++
    const authority = Buffer.concat([before, chunk.subarray(start, end)])
    const isOver = end < chunk.length || authority.length === MAX_AUTHORITY_BYTES
    this.authority = isOver ? undefined : authority
    if (isOver) {
      parts.push(maskCredentials(authority))
      // In "a@b://c", another scheme begins where the authority seems to end.
      this.seen = authority.at(-1) === COLON ? 1 : 0
    }
    return end
  }
}

function maskCredentials(authority: Buffer): Buffer {
  const at = authority.lastIndexOf(AT)
  if (at === -1) return authority
  const colon = authority.subarray(0, at).indexOf(COLON)
  const secretFrom = colon === -1 ? 0 : colon + 1
  const length = at - secretFrom
  if (length < (colon === -1 ? MIN_TOKEN_BYTES : 1)) return authority
  return Buffer.concat([authority.subarray(0, secretFrom), MASK, authority.subarray(at)])
}
