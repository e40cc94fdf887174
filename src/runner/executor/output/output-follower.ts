import { deferred } from '../../../lib/deferred.js'
import { watchDirectory } from '../../../lib/watch-directory.js'
import type { OutputRecord } from '../output-record.js'
import type { ScriptEnd } from '../script-end.js'
import { MarkScanner } from './mark-scanner.js'
import type { OutputCursor } from './output-cursor.js'
import { outputFailure, OutputFiles } from './output-files.js'

/** Milliseconds between two looks at the files. Some network file systems do not report changes. */
const POLL_MILLISECONDS = 1000
/** As `POLL_MILLISECONDS`, if changes cannot be watched at all. */
const UNWATCHED_POLL_MILLISECONDS = 50

/**
 * Follows the files of the output of a stage until its script ends. The writer does not depend on it: a later process
 * can follow the same files from the first byte.
 */
export class OutputFollower {
  private readonly files: OutputFiles
  private readonly scanner: MarkScanner
  private changed = deferred()
  /** Set when the files hold all that there will be. Aborts when reading them has to end. */
  private end: AbortSignal | undefined

  /**
   * `write` stores output in the log. Another follower can continue after it at the cursor. `start`: such a cursor.
   * `delivered` resolves when all output that was written is stored for good, so that its file can be removed.
   */
  constructor(
    private readonly record: OutputRecord,
    private readonly write: (bytes: Buffer, cursor: OutputCursor) => Promise<void>,
    { start, delivered }: { start?: OutputCursor | undefined; delivered?: () => Promise<void> } = {},
  ) {
    this.files = new OutputFiles(record, start, delivered)
    this.scanner = new MarkScanner(record.token, Buffer.from(start?.held ?? '', 'hex'))
  }

  /**
   * Resolves when the script has ended. Undefined if its container was ended from outside. Throws an `ExecutorError` if the
   * files cannot be read.
   */
  async follow(): Promise<ScriptEnd | undefined> {
    const stopWatching = this.watch()
    try {
      return await this.readToEnd()
    } catch (error) {
      throw outputFailure(error, 'read')
    } finally {
      stopWatching()
      await this.files.close()
    }
  }

  /**
   * Call this when no process of the container runs any more: the files are then complete. When `signal` aborts, the
   * rest of it is not read.
   */
  finish(signal: AbortSignal): void {
    if (!this.end) this.files.limit()
    this.end = signal
    this.changed.resolve()
  }

  private async readToEnd(): Promise<ScriptEnd | undefined> {
    for (;;) {
      this.changed = deferred()
      const isOver = this.end !== undefined
      if (this.end?.aborted) return undefined
      const bytes = await this.files.read()
      if (bytes.length > 0) {
        const { before, mark } = this.scanner.push(bytes)
        if (before.length > 0) await this.write(before, this.cursor)
        if (mark) return readEnd(mark.text)
      } else if (isOver) {
        await this.write(this.scanner.flush(), this.cursor)
        return undefined
      } else {
        await this.changed.promise
      }
    }
  }

  private get cursor(): OutputCursor {
    return { ...this.files.nextPosition, held: this.scanner.heldBytes.toString('hex') }
  }

  private watch(): () => void {
    const poll = () => this.changed.resolve()
    const watcher = watchDirectory(this.record.directory, poll)
    const timer = setInterval(poll, watcher ? POLL_MILLISECONDS : UNWATCHED_POLL_MILLISECONDS)
    return () => {
      clearInterval(timer)
      watcher?.close()
    }
  }
}

/** Reads the text of a mark: the exit code, and other facts from the container. */
export function readEnd(text: string): ScriptEnd {
  const [exitCode = '', left = '', kills = ''] = text.split(' ')
  return {
    exitCode: /^\d+$/.test(exitCode) ? Number(exitCode) : 1,
    hasLeftProcesses: Number(left) > 0,
    ranOutOfMemory: kills === '' ? undefined : Number(kills) > 0,
  }
}
