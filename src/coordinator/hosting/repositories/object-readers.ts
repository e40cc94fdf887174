import { ObjectReader } from '../../../git/object-reader.js'
import { MINUTE } from '../../../lib/time-units.js'

/** Maximum number of processes; the least recently used one is closed. */
const MAX_OPEN = 16
/** Idle time after which the process of a repository is closed, in milliseconds. */
const IDLE_MILLISECONDS = MINUTE

interface Entry {
  reader: ObjectReader
  idle: NodeJS.Timeout
}

/** Object readers of the most recently used repositories. */
export class ObjectReaders {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>()
  private readonly closing = new Set<Promise<void>>()

  /** @param onRead called with the milliseconds that each read took */
  constructor(private readonly onRead?: (milliseconds: number) => void) {}

  of(gitDir: string): ObjectReader {
    const entry = this.entries.get(gitDir) ?? this.open(gitDir)
    this.entries.delete(gitDir)
    this.entries.set(gitDir, entry)
    entry.idle.refresh()
    this.closeOldest()
    return entry.reader
  }

  /** Closes the reader of a repository that is deleted. */
  async closeReader(gitDir: string): Promise<void> {
    const entry = this.entries.get(gitDir)
    if (!entry) return
    this.entries.delete(gitDir)
    clearTimeout(entry.idle)
    const closing = entry.reader.close()
    this.closing.add(closing)
    await closing.finally(() => this.closing.delete(closing))
  }

  async close(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((gitDir) => this.closeReader(gitDir)))
    await Promise.all(this.closing)
  }

  private open(gitDir: string): Entry {
    const idle = setTimeout(() => void this.closeReader(gitDir), IDLE_MILLISECONDS).unref()
    return { reader: new ObjectReader(gitDir, this.onRead), idle }
  }

  private closeOldest(): void {
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_OPEN && oldest !== undefined) void this.closeReader(oldest)
  }
}
