import { ByteAutomaton } from '../../masking/byte-automaton.js'
import { type ByteFilter, MASK } from './byte-filter.js'

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
