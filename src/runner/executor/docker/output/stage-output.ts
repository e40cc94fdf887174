import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { deferred } from '../../../../lib/deferred.js'
import type { OutputRecord } from '../../output-record.js'
import { END_MARK } from '../../output/end-mark.js'
import { type FoundMark, MarkScanner } from '../../output/mark-scanner.js'
import { OutputFollower, readEnd } from '../../output/output-follower.js'
import { FILE_MARK } from '../../output/output-script.js'
import type { ScriptEnd } from '../../script-end.js'
import { Demultiplexer } from '../containers/container-stream.js'

const KEPT_BYTES = 512

/**
 * The output of one stage on its way into the log. It comes from the engine until a mark says that the script writes
 * into files, and then from these files:
 *
 *     engine: entrypoint of the image │ mark │ its processes in the background, and a mark with the exit code
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
  private isBroken = false
  /** Number of bytes of the engine after the switch that belong to the log. */
  private lateBytes = 0
  private endAtEngine: ScriptEnd | undefined
  private follower: OutputFollower | undefined
  private following: Promise<ScriptEnd | undefined> = Promise.resolve(undefined)
  private end: ScriptEnd | undefined
  private readonly ended = deferred<ScriptEnd>()

  /**
   * Without `files`, everything comes from the engine. `token`: begins the marks. Undefined for a container of an earlier
   * version, which prints no mark with an exit code.
   */
  constructor(
    private readonly files: OutputRecord | undefined,
    private readonly token: string | undefined,
    private readonly log: Writable,
  ) {
    const known = files?.token ?? token
    this.scanner = known === undefined ? undefined : new MarkScanner(known)
  }

  /** Resolves when the script that writes into files has ended. Its container may still run. Rejects if `finish` will. */
  get scriptEnded(): Promise<ScriptEnd> {
    return this.ended.promise
  }

  /** How the script ended. Undefined as long as neither the files nor the engine say. */
  get scriptEnd(): ScriptEnd | undefined {
    return this.end ?? this.endAtEngine
  }

  /** Whether the script writes into files, and they do not say how it ended. */
  get isEndMissing(): boolean {
    return this.usesFiles && !this.end
  }

  /** Whether the engine has more output than came by the connection to the container. */
  get hasBroken(): boolean {
    return this.isBroken
  }

  /** Whether the output of a script that has run to its end says so. */
  get hasMark(): boolean {
    return this.token !== undefined
  }

  get usesFiles(): boolean {
    return this.switchedAt !== undefined
  }

  /** Position and number of the bytes of the engine that belong to the end of the log. */
  get late(): { from: number; length: number } {
    const from = this.switchedAt ?? this.read
    return { from, length: this.lateBytes === 0 ? 0 : this.read - from }
  }

  /** Removes marks from the late output, which is read again. */
  async *withoutMarks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    if (!this.files) return
    const scanner = new MarkScanner(this.files.token)
    for await (const chunk of chunks) yield* scanned(scanner, chunk, () => {})
    yield scanner.flush()
  }

  /** Reads what comes by the connection to a container, to its end. */
  async readAttached(source: Readable): Promise<void> {
    const frames = new Demultiplexer({ keep: KEPT_BYTES, findsBreak: true })
    await this.readThrough(source, frames)
    this.isBroken = frames.hasBroken
  }

  /** Reads frames of the engine to their end. `skip`: number of bytes to drop at the beginning. */
  async readFrames(source: Readable, skip: number): Promise<void> {
    await this.readThrough(source, new Demultiplexer({ skip, keep: KEPT_BYTES - this.beginning.length }))
  }

  private async readThrough(source: Readable, frames: Demultiplexer): Promise<void> {
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

  /** Call this when the container has ended. Writes the rest of the output, until `signal` aborts. */
  async finish(signal: AbortSignal): Promise<void> {
    this.follower?.finish(signal)
    this.end = await this.following
    const rest = this.scanner?.flush() ?? Buffer.alloc(0)
    if (this.usesFiles) this.lateBytes += rest.length
    else await this.write(rest)
  }

  /** Writes what there is, until `signal` aborts, and stops reading. May be called at any time. */
  async close(signal: AbortSignal): Promise<void> {
    this.follower?.finish(signal)
    await Promise.allSettled([this.following])
  }

  private async scan(chunks: AsyncIterable<Buffer>, scanner: MarkScanner): Promise<void> {
    for await (const chunk of chunks) {
      this.read += chunk.length
      for (const bytes of scanned(scanner, chunk, (mark) => this.takeMark(mark))) {
        if (this.usesFiles) this.lateBytes += bytes.length
        else await this.write(bytes)
      }
    }
  }

  private takeMark({ text, rest }: FoundMark): void {
    const [kind, exitCode = ''] = text.split(' ')
    if (kind === FILE_MARK && !this.usesFiles) this.switchToFiles(this.read - rest.length)
    else if (kind === END_MARK) this.endAtEngine = readEnd(exitCode)
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

/** The bytes of a chunk that belong to no mark, in order. `onMark` is called for each mark when the bytes before it are over. */
function* scanned(scanner: MarkScanner, chunk: Buffer, onMark: (mark: FoundMark) => void): Generator<Buffer> {
  let { before, mark } = scanner.push(chunk)
  for (;;) {
    if (before.length > 0) yield before
    if (!mark) return
    onMark(mark)
    ;({ before, mark } = scanner.push(mark.rest))
  }
}
