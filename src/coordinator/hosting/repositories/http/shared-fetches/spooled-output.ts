import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { deferred } from '../../../../../lib/deferred.js'

const CHUNK = 64 * 1024

/**
 * The output of a program, kept in a file for any number of readers: each reads from the first byte on, while the program
 * still writes.
 */
export class SpooledOutput {
  /** Bytes that have been written. */
  size = 0
  private readers = 0
  private end: 'whole' | Error | undefined
  private grown = deferred()

  /** @param onUnread called when the last of its readers has left */
  constructor(
    private readonly file: FileHandle,
    private readonly onUnread: () => void,
  ) {}

  /** Whether all of the output is in the file. */
  get isWhole(): boolean {
    return this.end === 'whole'
  }

  get isRead(): boolean {
    return this.readers > 0
  }

  /** Ends when all of the output is in the file. Never rejects: readers get the error. */
  async fill(output: Readable): Promise<void> {
    try {
      for await (const chunk of output as AsyncIterable<Buffer>) {
        await this.file.writeFile(chunk)
        this.size += chunk.length
        this.wake()
      }
      this.end = 'whole'
    } catch (error) {
      this.end = error instanceof Error ? error : new Error(String(error))
    }
    this.wake()
  }

  /** A stream of all bytes. It fails if the program or the file has failed. */
  reader(): Readable {
    this.readers++
    let at = 0
    const reader = new Readable({
      read: () => {
        this.next(at).then(
          (chunk) => {
            at += chunk?.length ?? 0
            reader.push(chunk)
          },
          (error: unknown) => reader.destroy(error as Error),
        )
      },
      destroy: (error, done) => {
        if (--this.readers === 0) this.onUnread()
        done(error)
      },
    })
    return reader
  }

  close(): Promise<void> {
    return this.file.close()
  }

  /** The bytes from this position on, once there are some; null at the end. */
  private async next(at: number): Promise<Buffer | null> {
    while (at >= this.size) {
      if (this.end === 'whole') return null
      if (this.end) throw this.end
      await this.grown.promise
    }
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, this.size - at))
    const { bytesRead } = await this.file.read(chunk, 0, chunk.length, at)
    return chunk.subarray(0, bytesRead)
  }

  private wake(): void {
    this.grown.resolve()
    this.grown = deferred()
  }
}
