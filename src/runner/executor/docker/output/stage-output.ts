import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { deferred } from '../../../../lib/deferred.js'
import { Demultiplexer } from '../containers/container-stream.js'
import type { OutputRecord } from '../environment-record.js'
import { MarkScanner } from './mark-scanner.js'
import { OutputFollower, type ScriptEnd } from './output-follower.js'
import { FILE_MARK } from './output-script.js'

const KEPT_BYTES = 512

/**
 * The output of one stage on its way into the log. It comes from the engine until a mark says that the script writes into
 * files, and from these files then:
 *
 *     engine: entrypoint of the image │ mark │ its processes in the background
 *     files:                            the script │ mark with its exit code
 *     log:    entrypoint, script, and at the end what came from the engine after the mark
 *
 * The order does not depend on when this process reads, so a later process writes the same bytes again.
 */
export class StageOutput {
  /** Number of bytes read from the engine. */
  read = 0
  /** The first bytes from the engine. */
  beginning = ''
  /** Position in the output of the engine at which the script began to write into files. */
  private switchedAt: number | undefined
  private readonly scanner: MarkScanner | undefined
  private follower: OutputFollower | undefined
  private following: Promise<ScriptEnd | undefined> = Promise.resolve(undefined)
  private end: ScriptEnd | undefined
  private readonly ended = deferred<ScriptEnd>()

  /** Without `files`, everything comes from the engine. */
  constructor(
    private readonly files: OutputRecord | undefined,
    private readonly log: Writable,
  ) {
    this.scanner = files && new MarkScanner(files.token)
  }

  /** Resolves when the script that writes into files has ended. Its container may still run. Rejects if `finish` will. */
  get scriptEnded(): Promise<ScriptEnd> {
    return this.ended.promise
  }

  /** How the script ended. Undefined as long as the files do not say. */
  get scriptEnd(): ScriptEnd | undefined {
    return this.end
  }

  get usesFiles(): boolean {
    return this.switchedAt !== undefined
  }

  /** Position and number of the bytes of the engine that belong to the end of the log. */
  get late(): { from: number; length: number } {
    const from = this.switchedAt ?? this.read
    return { from, length: this.read - from }
  }

  /** Reads frames of the engine to their end. `skip`: number of bytes to drop at the beginning. */
  async readFrames(source: Readable, skip: number): Promise<void> {
    const frames = new Demultiplexer({ skip, keep: KEPT_BYTES - this.beginning.length })
    const before = this.read
    try {
      if (this.scanner) {
        const { scanner } = this
        await pipeline(source, frames, (chunks: AsyncIterable<Buffer>) => this.scan(chunks, scanner))
      } else {
        await pipeline(source, frames, this.log, { end: false })
      }
    } finally {
      this.read = before + frames.passed
      this.beginning += frames.beginning
    }
  }

  /** To be called when the container has ended. Writes the rest of the output, until `signal` aborts. */
  async finish(signal: AbortSignal): Promise<void> {
    this.follower?.finish(signal)
    this.end = await this.following
    if (this.scanner) await this.write(this.scanner.flush())
  }

  /** Writes what there is, until `signal` aborts, and stops reading. May be called at any time. */
  async close(signal: AbortSignal): Promise<void> {
    this.follower?.finish(signal)
    await Promise.allSettled([this.following])
  }

  private async scan(chunks: AsyncIterable<Buffer>, scanner: MarkScanner): Promise<void> {
    for await (const chunk of chunks) {
      this.read += chunk.length
      if (this.usesFiles) continue
      const { before, mark } = scanner.push(chunk)
      await this.write(before)
      if (mark?.text === FILE_MARK) this.switchToFiles(this.read - mark.rest.length)
    }
  }

  private switchToFiles(at: number): void {
    if (!this.files) return
    this.switchedAt = at
    this.follower = new OutputFollower(this.files, (bytes) => this.write(bytes))
    this.following = this.follower.follow()
    this.following.then(
      (end) => {
        this.end = end
        if (end) this.ended.resolve(end)
      },
      (error: unknown) => this.ended.reject(error),
    )
    this.ended.promise.catch(() => {}) // `finish` throws it too
  }

  private async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    await new Promise<void>((resolve, reject) => {
      const isReady = this.log.write(bytes, (error) => error && reject(error))
      if (isReady) resolve()
      else this.log.once('drain', resolve)
    })
  }
}
