import { ByteAutomaton } from '../../masking/byte-automaton.js'
import { type ByteFilter, MASK } from './byte-filter.js'

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
