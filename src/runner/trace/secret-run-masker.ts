import { ByteAutomaton } from './byte-automaton.js'
import { type ByteFilter, MASK } from './byte-filter.js'

export interface SecretRun {
  /** What announces a secret; it stays in the text. */
  introductions: readonly string[]
  ignoreCase: boolean
  /** Whether a byte still belongs to the secret that follows an introduction. */
  continues: (byte: number) => boolean
}

/**
 * Masks what follows certain words for as long as it looks like a secret (runner protocol, 4.6): tokens by their
 * prefix, parameters of addresses by their name. Holds nothing back: the introduction itself may be shown.
 */
export class SecretRunMasker implements ByteFilter {
  private readonly automaton: ByteAutomaton
  private readonly folded: Uint8Array
  private readonly continues: Uint8Array
  private state = ByteAutomaton.ROOT
  private run: 'none' | 'expected' | 'inside' = 'none'

  constructor(options: SecretRun) {
    const fold = (text: string) => (options.ignoreCase ? text.toLowerCase() : text)
    this.automaton = new ByteAutomaton(options.introductions.map((text) => Buffer.from(fold(text))))
    this.folded = Uint8Array.from({ length: 256 }, (_, byte) =>
      options.ignoreCase && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
    )
    this.continues = Uint8Array.from({ length: 256 }, (_, byte) => (options.continues(byte) ? 1 : 0))
  }

  push(chunk: Buffer): Buffer {
    const parts: Buffer[] = []
    let plainFrom = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!
      if (this.run !== 'none') {
        if (this.continues[byte] === 1) {
          if (this.run === 'expected') parts.push(chunk.subarray(plainFrom, index), MASK)
          this.run = 'inside'
          plainFrom = index + 1
          continue
        }
        this.run = 'none'
      }
      this.state = this.automaton.step(this.state, this.folded[byte]!)
      if (this.automaton.matchLength(this.state) > 0) {
        this.run = 'expected'
        this.state = ByteAutomaton.ROOT
      }
    }
    parts.push(chunk.subarray(plainFrom))
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  flush(): Buffer {
    this.state = ByteAutomaton.ROOT
    this.run = 'none'
    return Buffer.alloc(0)
  }
}
