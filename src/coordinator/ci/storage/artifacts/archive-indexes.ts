import PQueue from 'p-queue'

import { UnreadableArchiveError } from '../../../../archive/errors.js'
import type { PackedEntry } from '../../../../archive/packed-entry.js'
import type { RandomAccessSource } from '../../../../archive/random-access.js'
import { ZipReader } from '../../../../archive/zip-reader.js'
import { untilAborted } from '../../../../lib/until-aborted.js'

/** The files of an archive by their names. */
type Index = ReadonlyMap<string, PackedEntry>

/** Shared by all callers that need the index of the same archive; aborted when the last caller leaves. */
interface Build {
  index: Promise<Index | undefined>
  controller: AbortController
  waiting: number
}

/** Estimated bytes of memory. An index of 60,000 files with usual names uses about 20 MB. */
const MOST = { ofOne: 64 * 1024 * 1024, ofAll: 128 * 1024 * 1024 }

/** Memory for the properties of an entry and its position in the index. */
const ENTRY_BYTES = 250
const CHARACTER_BYTES = 2

/** Directories that are read concurrently. */
const AT_ONCE = 4

/**
 * Finds files in stored zip archives by name. The directory of an archive is read once, and the most recently
 * used ones are cached. Archives never change under their key.
 */
export class ArchiveIndexes {
  /** In the order of last use. Undefined: too large to cache. */
  private readonly kept = new Map<string, { index: Index | undefined; bytes: number }>()
  private readonly builds = new Map<string, Build>()
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private keptBytes = 0

  constructor(private readonly most = MOST) {}

  /**
   * Returns the first file with this name; undefined if there is none, or if the archive is not readable up
   * to it. Throws the reason of `signal` and errors of the source.
   */
  async find(
    key: string,
    source: RandomAccessSource,
    name: string,
    signal: AbortSignal,
  ): Promise<PackedEntry | undefined> {
    signal.throwIfAborted()
    const kept = this.kept.get(key)
    if (kept) {
      this.kept.delete(key)
      this.kept.set(key, kept)
    }
    const index = kept ? kept.index : await this.build(key, source, signal)
    return index ? index.get(name) : this.search(source, name, signal)
  }

  private async build(
    key: string,
    source: RandomAccessSource,
    signal: AbortSignal,
  ): Promise<Index | undefined> {
    const build = this.builds.get(key) ?? this.begin(key, source)
    build.waiting++
    try {
      return await untilAborted(build.index, signal)
    } finally {
      if (--build.waiting === 0) {
        build.controller.abort()
        if (this.builds.get(key) === build) this.builds.delete(key)
      }
    }
  }

  private begin(key: string, source: RandomAccessSource): Build {
    const controller = new AbortController()
    const { signal } = controller
    const index = this.queue.add(() => this.read(key, source, signal), { signal })
    const build = { index, controller, waiting: 0 }
    this.builds.set(key, build)
    return build
  }

  private async read(
    key: string,
    source: RandomAccessSource,
    signal: AbortSignal,
  ): Promise<Index | undefined> {
    const index = new Map<string, PackedEntry>()
    let bytes = 0
    for await (const entry of filesOf(source, signal)) {
      bytes += ENTRY_BYTES + entry.name.length * CHARACTER_BYTES
      if (bytes > this.most.ofOne) {
        this.keep(key, undefined, ENTRY_BYTES)
        return undefined
      }
      if (!index.has(entry.name)) index.set(entry.name, entry)
    }
    this.keep(key, index, bytes + ENTRY_BYTES)
    return index
  }

  private keep(key: string, index: Index | undefined, bytes: number): void {
    this.keptBytes += bytes - (this.kept.get(key)?.bytes ?? 0)
    this.kept.set(key, { index, bytes })
    for (const [oldest, entry] of this.kept) {
      if (this.keptBytes <= this.most.ofAll) return
      this.kept.delete(oldest)
      this.keptBytes -= entry.bytes
    }
  }

  /** Searches without caching: for archives whose names alone would fill the memory. */
  private async search(
    source: RandomAccessSource,
    name: string,
    signal: AbortSignal,
  ): Promise<PackedEntry | undefined> {
    return this.queue.add(
      async () => {
        for await (const entry of filesOf(source, signal)) if (entry.name === name) return entry
        return undefined
      },
      { signal },
    )
  }
}

/** Stops where the directory becomes unreadable, because runners may upload anything. */
async function* filesOf(source: RandomAccessSource, signal: AbortSignal): AsyncGenerator<PackedEntry> {
  try {
    const zip = await ZipReader.open(source)
    for await (const { kind, mode, modified, ...entry } of zip.entries()) {
      signal.throwIfAborted()
      if (kind === 'file') yield entry
    }
  } catch (error) {
    if (!(error instanceof UnreadableArchiveError) || isStoreFailure(error.cause)) throw error
  }
}

/** Errors of the store and the system have a code; errors about the archive format do not. */
export function isStoreFailure(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause
}
