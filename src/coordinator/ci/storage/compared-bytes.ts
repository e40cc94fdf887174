import { createHash, type Hash } from 'node:crypto'

import type { ExpectedBlob } from './blob-store.js'

/** Compares the bytes of a blob with what is expected, while they pass. */
export class ComparedBytes {
  private size = 0
  private readonly hash: Hash | undefined

  constructor(private readonly expected: ExpectedBlob) {
    this.hash = expected.sha256 === undefined ? undefined : createHash('sha256')
  }

  /** Takes the next bytes. Returns how the blob differs, as soon as that is known: at the last bytes at the latest. */
  add(chunk: Buffer): string | undefined {
    const { expected, hash } = this
    this.size += chunk.length
    hash?.update(chunk)
    if (this.size > expected.size) return `it has more than ${expected.size} bytes`
    const isComplete = this.size === expected.size
    if (!isComplete || hash?.digest('hex') === expected.sha256) return undefined
    return 'its bytes have another SHA-256 digest'
  }

  /** Returns how the blob differs, if it ends here. */
  end(): string | undefined {
    return this.size < this.expected.size ? sizeDifference(this.size, this.expected) : undefined
  }
}

export function sizeDifference(size: number, expected: ExpectedBlob): string {
  return `it has ${size} bytes, not ${expected.size}`
}
