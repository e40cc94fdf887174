import { Transform, type TransformCallback } from 'node:stream'

import type { ComparedBytes } from './compared-bytes.js'

/** Passes bytes on and compares them with what is expected. Fails before the last bytes if they differ. */
export class ComparedStream extends Transform {
  /** @param failure the error of a difference */
  constructor(
    private readonly bytes: ComparedBytes,
    private readonly failure: (difference: string) => Error,
  ) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.finish(done, this.bytes.add(chunk), chunk)
  }

  override _flush(done: TransformCallback): void {
    this.finish(done, this.bytes.end())
  }

  private finish(done: TransformCallback, difference: string | undefined, chunk?: Buffer): void {
    if (difference === undefined) done(null, chunk)
    else done(this.failure(difference))
  }
}
