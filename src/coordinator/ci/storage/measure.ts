import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

import type { StoredBlob } from './blob-store.js'
import { BlobTooLargeError } from './errors.js'

/** Passes bytes on while it counts and digests them; fails with `BlobTooLargeError` above `maxBytes`. */
export class Measure extends Transform {
  private readonly hash = createHash('sha256')
  private size = 0

  constructor(private readonly maxBytes: number) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length
    if (this.size > this.maxBytes) return done(new BlobTooLargeError(this.maxBytes))
    this.hash.update(chunk)
    done(null, chunk)
  }

  /** Size and digest of all bytes; call it once, after the end. */
  result(): StoredBlob {
    return { size: this.size, sha256: this.hash.digest('hex') }
  }
}
