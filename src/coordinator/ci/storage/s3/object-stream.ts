import { Readable } from 'node:stream'

import { pause } from '../../../../lib/pause.js'
import type { ComparedBytes } from '../compared-bytes.js'

/** Connections that may break one after another without a byte in between. */
const MAX_FAILURES = 4
/** Milliseconds. */
const DELAY = 200

/**
 * The bytes of an object. A connection that breaks, for example because the reader is slow, is replaced by one that
 * continues at the same byte.
 */
export class ObjectStream extends Readable {
  private position = 0
  private failures = 0

  /**
   * @param body what the first request returned
   * @param reopen requests the bytes from a position on, counted from the start of `body`
   * @param compare if the bytes are to be compared: what to compare, and the error of a difference. The stream fails
   *   before its last bytes.
   */
  constructor(
    private body: Readable,
    private readonly reopen: (position: number) => Promise<Readable>,
    private readonly compare?: { bytes: ComparedBytes; failure: (difference: string) => Error },
  ) {
    super()
    this.attach(body)
  }

  override _read(): void {
    this.body.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.body.destroy()
    done(error)
  }

  private attach(body: Readable): void {
    body.on('data', (chunk: Buffer) => {
      this.position += chunk.length
      this.failures = 0
      if (this.differs(this.compare?.bytes.add(chunk))) return
      if (!this.push(chunk)) body.pause()
    })
    body.on('end', () => {
      if (!this.differs(this.compare?.bytes.end())) this.push(null)
    })
    body.on('error', (error) => void this.replace(error))
  }

  /** Ends the stream if there is a difference. */
  private differs(difference: string | undefined): boolean {
    if (difference === undefined || !this.compare) return false
    this.destroy(this.compare.failure(difference))
    return true
  }

  private async replace(cause: Error): Promise<void> {
    if (this.destroyed) return
    if (++this.failures >= MAX_FAILURES) return void this.destroy(cause)
    try {
      await pause(DELAY * 2 ** this.failures)
      this.use(await this.reopen(this.position))
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /** The reader may have stopped before the body was there. */
  private use(body: Readable): void {
    this.body = body
    this.attach(body)
    if (this.destroyed) body.destroy()
  }
}
