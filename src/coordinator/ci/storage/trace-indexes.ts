import { type FileHandle, readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

import { LRUCache } from 'lru-cache'

import { isMissingFile } from '../../../lib/files.js'
import type { Logger } from '../../../lib/logger.js'
import { KeyLock } from './key-lock.js'
import type { LineQuery } from './trace-index/line-matcher.js'
import {
  decodeIndex,
  EMPTY_INDEX,
  encodeIndex,
  indexSize,
  type LogIndex,
  type LogView,
  MARK_BYTES,
} from './trace-index/log-index.js'
import { readAt } from './trace-index/read-window.js'
import { scanRange, type ScanResult } from './trace-index/scan-range.js'
import type { SearchEnd } from './trace-index/search-log.js'
import { LINES_PER_BLOCK, TraceScanner } from './trace-index/trace-scanner.js'
import type { SearchItem } from './trace-index/trace-worker.js'
import type { TraceWorkers } from './trace-index/trace-workers.js'
import type { TraceFiles, TraceOwner, Traces } from './traces.js'

/** A search in a log. */
export interface TraceSearch {
  query: LineQuery
  /** Number of the first line to search, from 1. */
  from: number
  /** Most lines to find. */
  limit: number
}

/** A log that is open for reading. */
export interface OpenLog {
  file: FileHandle
  view: LogView
  /** File with the times at which its bytes arrived. */
  timesPath: string
  /** The file itself, for a thread. */
  path: string
}

interface LogFile {
  file: FileHandle
  files: TraceFiles
}

export interface SearchOptions {
  /** Called with the bytes of the log that is searched; 0 without a log. */
  check?: (bytes: number) => Promise<void>
  /** Aborting it ends the search. */
  signal: AbortSignal
  onItem: (item: SearchItem) => void
}

export interface TraceIndexesDeps {
  traces: Traces
  workers: TraceWorkers
  logger: Logger
}

interface Cached {
  index: LogIndex
  /** Bytes of the log that the index on disk covers. */
  stored: number
  /** The last view, for `bytes` of the log. */
  view: LogView | undefined
}

/** Less of a log is scanned at once: this takes a millisecond. */
const INLINE_BYTES = 256 * 1024
/** The index of a running job is stored when it covers so many bytes more. */
const STORE_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Indexes of logs, by which any line is found at once. They are kept in files beside the logs and in memory, and
 * follow a log while it grows. An index that is missing, damaged, or belongs to another log is built again.
 */
export class TraceIndexes {
  private readonly cache = new LRUCache<number, Cached>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ index }) => indexSize(index),
  })
  private readonly lock = new KeyLock<number>()
  private readonly builds = new Set<Promise<void>>()
  private isStopped = false

  constructor(private readonly deps: TraceIndexesDeps) {}

  /**
   * Calls `read` with the log of a job, and closes it afterwards. If the job is not finished, `read` sees only the
   * bytes that readers may see. Undefined for a job without a log.
   */
  async withLog<T>(
    job: TraceOwner,
    { isFinished }: { isFinished: boolean },
    read: (log: OpenLog | undefined) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const opened = await this.deps.traces.open(job)
      if (!opened) return read(undefined)
      const { file, files } = opened
      try {
        const stable = await this.stableSize(job, opened)
        if (stable === undefined) continue
        const bytes = isFinished ? (await file.stat()).size : stable
        const log = { file, files }
        const cached = await this.lock.run(job.id, () => this.upTo(job, log, { stable, isFinished }))
        const view = cached.view?.bytes === bytes ? cached.view : await viewOf(file, cached.index, bytes)
        cached.view = view
        return await read({ file, view, timesPath: files.times, path: files.log })
      } finally {
        await file.close()
      }
    }
  }

  /** Bytes that readers may see and that no longer change. Undefined if the log is no longer at its place. */
  private async stableSize(
    job: TraceOwner,
    { file, isGrowing }: { file: FileHandle; isGrowing: boolean },
  ): Promise<number | undefined> {
    const readable = isGrowing ? await this.deps.traces.readableSize(job) : undefined
    const { nlink, size } = await file.stat()
    return nlink === 0 && isGrowing ? undefined : (readable ?? size)
  }

  /**
   * Searches a log in a thread, from the line `from` on. Hits are reported in the order of the lines. Throws the reason
   * of `signal`.
   */
  async search(
    job: TraceOwner,
    { isFinished }: { isFinished: boolean },
    { query, from, limit }: TraceSearch,
    { check, signal, onItem }: SearchOptions,
  ): Promise<SearchEnd> {
    const found = await this.withLog(job, { isFinished }, (log) =>
      Promise.resolve(log && { view: log.view, path: log.path }),
    )
    const view = found?.view
    await check?.(view?.bytes ?? 0)
    const block = Math.floor((from - 1) / LINES_PER_BLOCK)
    const start = view?.blockStarts[block]
    if (!found || !view || start === undefined) return { hits: 0, searched_to: view?.lines ?? 0, done: true }
    const line = block * LINES_PER_BLOCK + 1
    const { bytes: bytesEnd, blockStarts } = view
    const search = { query, from, limit, start, line, end: bytesEnd, blockStarts }
    const end = await this.deps.workers.run(
      { kind: 'search', path: found.path, search },
      { signal, onItem: (item) => onItem(item as SearchItem) },
    )
    if (end !== undefined) return end as SearchEnd
    // The log was deleted, or moved into the blob store.
    const moved = await this.deps.traces.open(job)
    if (!moved) return { hits: 0, searched_to: 0, done: true }
    await moved.file.close()
    return this.search(job, { isFinished }, { query, from, limit }, { check, signal, onItem })
  }

  /**
   * Builds the index of a job that has ended in the background, if its log is long. Failures are logged. Without it, the
   * first reader waits.
   */
  buildLater(job: TraceOwner & { trace_bytes: number | null }): void {
    if ((job.trace_bytes ?? 0) <= INLINE_BYTES) return
    const build = this.withLog(job, { isFinished: true }, () => Promise.resolve())
      .catch((error: unknown) => {
        if (!this.isStopped) this.deps.logger.warn({ err: error, job: job.id }, 'Failed to index a log')
      })
      .finally(() => this.builds.delete(build))
    this.builds.add(build)
  }

  /** Ends the threads and what runs in the background. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.deps.workers.stop()
    await Promise.all(this.builds)
  }

  /** The index up to the last line that ends before `stable`. */
  private async upTo(
    job: TraceOwner,
    { file, files }: LogFile,
    { stable, isFinished }: { stable: number; isFinished: boolean },
  ): Promise<Cached> {
    const known = (await this.known(job, { file, files }, stable)) ?? {
      index: EMPTY_INDEX,
      stored: 0,
      view: undefined,
    }
    const end = await lastLineEnd(file, known.index.state.bytes, stable)
    if (end === known.index.state.bytes) return this.keep(job, known)
    const index = await this.extend({ file, files }, known.index, end)
    // The log was truncated or deleted in the meantime. The reader gets what is left of it.
    if (!index) return known
    const cached = { index, stored: known.stored, view: undefined }
    const isDue = end - known.stored >= (isFinished ? INLINE_BYTES : STORE_BYTES)
    if (isDue && (await this.deps.traces.storeIndex(job, files, encodeIndex(index)))) cached.stored = end
    return this.keep(job, cached)
  }

  private keep(job: TraceOwner, cached: Cached): Cached {
    this.cache.set(job.id, cached)
    return cached
  }

  /** The index from memory or disk, if it belongs to this log. */
  private async known(job: TraceOwner, { file, files }: LogFile, bytes: number): Promise<Cached | undefined> {
    const cached = this.cache.get(job.id) ?? (await this.stored(files))
    if (!cached || cached.index.state.bytes > bytes) return undefined
    return (await markAt(file, cached.index.state.bytes)) === cached.index.mark ? cached : undefined
  }

  private async stored({ index: path }: TraceFiles): Promise<Cached | undefined> {
    try {
      const index = decodeIndex(await readFile(path))
      return index && { index, stored: index.state.bytes, view: undefined }
    } catch (error) {
      if (isMissingFile(error)) return undefined
      throw error
    }
  }

  private async extend(
    { file, files }: LogFile,
    { state, blockStarts }: LogIndex,
    end: number,
  ): Promise<LogIndex | undefined> {
    const range = { state, end }
    const result =
      end - state.bytes <= INLINE_BYTES
        ? await scanInline(file, range)
        : ((await this.deps.workers.run({
            kind: 'scan',
            path: files.log,
            range,
          })) as ScanResult | undefined)
    return (
      result && {
        state: result.state,
        blockStarts: blockStarts.concat(result.blockStarts),
        mark: await markAt(file, result.state.bytes),
      }
    )
  }
}

async function scanInline(
  file: FileHandle,
  range: { state: LogIndex['state']; end: number },
): Promise<ScanResult | undefined> {
  const { bytes: start } = range.state
  const bytes = await readAt(file, start, range.end - start)
  return scanRange(range, (buffer, position) => bytes.copy(buffer, 0, position - start))
}

/** Adds what is after the index. */
async function viewOf(file: FileHandle, { state, blockStarts }: LogIndex, bytes: number): Promise<LogView> {
  const scanner = new TraceScanner(state)
  while (scanner.bytes < bytes) {
    const chunk = await readAt(file, scanner.bytes, Math.min(CHUNK_BYTES, bytes - scanner.bytes))
    if (chunk.length === 0) break
    scanner.feed(chunk)
  }
  const isOpen = scanner.openLineStart < scanner.bytes
  scanner.finish()
  return {
    bytes: scanner.bytes,
    lines: scanner.lines + (isOpen ? 1 : 0),
    sections: scanner.sections,
    blockStarts: scanner.blockStarts.length === 0 ? blockStarts : blockStarts.concat(scanner.blockStarts),
  }
}

/** The position after the last newline between two positions; `from` if there is none. */
async function lastLineEnd(file: FileHandle, from: number, to: number): Promise<number> {
  for (let end = to; end > from;) {
    const start = Math.max(from, end - CHUNK_BYTES)
    const at = (await readAt(file, start, end - start)).lastIndexOf(NEWLINE)
    if (at >= 0) return start + at + 1
    end = start
  }
  return from
}

async function markAt(file: FileHandle, position: number): Promise<number> {
  const start = Math.max(0, position - MARK_BYTES)
  return crc32(await readAt(file, start, position - start))
}
