import { LRUCache } from 'lru-cache'

import type { TraceFile } from './trace-index/trace-file.js'

/** Each is a file descriptor, and keeps the disk space of a deleted file until it is closed. */
const MAX_OPEN = 128
/** Milliseconds after which a file that gets no patch is closed. */
const IDLE = 30_000

/** A trace that is open to be written. */
export interface OpenTrace {
  readonly file: TraceFile
  /** What this process left behind; another one may have written since. */
  left?: LeftTrace | undefined
}

/** The end of a trace after a patch. */
interface LeftTrace {
  /** Bytes in the file. While it has that size, nobody else has written to it. */
  size: number
  /** Where withheld bytes start, if any are. */
  held: number | undefined
  /** The last bytes in the file. */
  tail: Buffer
  /** CRC-32 of all bytes in the file, if this process wrote them. */
  checksum: number | undefined
}

interface Entry {
  jobId: number
  projectId: number
  trace: OpenTrace
  usedAt: number
}

/** Keeps the traces open that were written last: a running job sends several patches within seconds. */
export class OpenTraces {
  /** By job. Not a `Map`, for the reason given in `TraceMaskers`. */
  private readonly entries = new LRUCache<number, Entry>({ max: MAX_OPEN })
  private timer: NodeJS.Timeout | undefined

  /** @param onCloseFailed no caller waits for a file that is closed later */
  constructor(private readonly onCloseFailed?: (jobId: number, error: unknown) => void) {}

  /** The caller has the trace for itself until it calls `put`, or closes the file. */
  take(jobId: number): OpenTrace | undefined {
    const entry = this.entries.peek(jobId)
    this.entries.delete(jobId)
    return entry?.trace
  }

  /** The trace, if it is open and nobody has taken it. */
  peek(jobId: number): OpenTrace | undefined {
    return this.entries.peek(jobId)?.trace
  }

  async put(
    { id: jobId, project_id: projectId }: { id: number; project_id: number },
    trace: OpenTrace,
  ): Promise<void> {
    const oldest = this.entries.size === MAX_OPEN ? this.entries.pop() : undefined
    this.entries.set(jobId, { jobId, projectId, trace, usedAt: Date.now() })
    // Waiting for files that get no patch must not keep the process alive.
    this.timer ??= setInterval(() => void this.closeIdle(), IDLE).unref()
    if (oldest) await this.closeFile(oldest)
  }

  async closeJob(jobId: number): Promise<void> {
    await this.take(jobId)?.file.close()
  }

  closeProject(projectId: number): Promise<void> {
    return this.close((entry) => entry.projectId === projectId)
  }

  closeAll(): Promise<void> {
    return this.close(() => true)
  }

  private closeIdle(): Promise<void> {
    const before = Date.now() - IDLE
    return this.close(({ usedAt }) => usedAt < before)
  }

  private async close(isChosen: (entry: Entry) => boolean): Promise<void> {
    const chosen = [...this.entries.values()].filter(isChosen)
    for (const { jobId } of chosen) this.entries.delete(jobId)
    if (this.entries.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    for (const entry of chosen) await this.closeFile(entry)
  }

  private async closeFile({ jobId, trace }: Entry): Promise<void> {
    try {
      await trace.file.close()
    } catch (error) {
      this.onCloseFailed?.(jobId, error)
    }
  }
}
