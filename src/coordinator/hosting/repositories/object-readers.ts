import { ObjectReader } from '../../../git/object-reader.js'

/** Processes at most; the repository that was read longest ago gives way. */
const MAX_OPEN = 16
/** Milliseconds without a read after which a repository's process ends. */
const IDLE_MILLISECONDS = 60_000

interface Entry {
  reader: ObjectReader
  idle: NodeJS.Timeout
}

/** One open reader for each of the repositories that were read last. */
export class ObjectReaders {
  /** In the order of their last use. */
  private readonly entries = new Map<string, Entry>()
  private readonly closing = new Set<Promise<void>>()

  of(gitDir: string): ObjectReader {
    const entry = this.entries.get(gitDir) ?? this.open(gitDir)
    this.entries.delete(gitDir)
    this.entries.set(gitDir, entry)
    entry.idle.refresh()
    this.closeOldest()
    return entry.reader
  }

  /** Closes the reader of a repository that goes away. */
  async drop(gitDir: string): Promise<void> {
    const entry = this.entries.get(gitDir)
    if (!entry) return
    this.entries.delete(gitDir)
    clearTimeout(entry.idle)
    const closing = entry.reader.close()
    this.closing.add(closing)
    await closing.finally(() => this.closing.delete(closing))
  }

  async close(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((gitDir) => this.drop(gitDir)))
    await Promise.all(this.closing)
  }

  private open(gitDir: string): Entry {
    const idle = setTimeout(() => void this.drop(gitDir), IDLE_MILLISECONDS).unref()
    return { reader: new ObjectReader(gitDir), idle }
  }

  private closeOldest(): void {
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_OPEN && oldest !== undefined) void this.drop(oldest)
  }
}
