import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'

import { UnreadableArchiveError } from '../../../../archive/errors.js'
import type { PackedEntry } from '../../../../archive/packed-entry.js'
import type { RandomAccessSource } from '../../../../archive/random-access.js'
import { ZipReader } from '../../../../archive/zip-reader.js'
import { untilAborted } from '../../../../lib/until-aborted.js'
import { ArchiveDirectory, type FolderListing, type ListingRange } from './archive-directory.js'

/** A stored zip archive. */
export interface StoredArchive extends RandomAccessSource {
  /** Reads the whole archive. Throws `DifferentBlobError` if it is not what was stored. */
  compare(signal: AbortSignal): Promise<void>
}

/** Shared by all callers that need the directory of the same archive; aborted when the last caller leaves. */
interface Build {
  index: Promise<ArchiveDirectory | undefined>
  controller: AbortController
  waiting: number
}

/** Estimated bytes of memory. The directory of 200,000 files with usual names uses about 40 MB. */
const MOST = { ofOne: 96 * 1024 * 1024, ofAll: 128 * 1024 * 1024 }

/** Memory of an archive in the cache, besides its directory. */
const KEPT_BYTES = 250

/** Directories that are read concurrently. */
const AT_ONCE = 4

/**
 * Finds files in stored zip archives by name, and lists their folders. The directory of an archive is read once, and
 * the most recently used ones are cached. Archives never change under their key.
 */
export class ArchiveIndexes {
  /** In the order of last use. Undefined: too large to cache. */
  private readonly kept = new Map<string, { index: ArchiveDirectory | undefined; bytes: number }>()
  private readonly builds = new Map<string, Build>()
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private keptBytes = 0
  /** Unreadable archives that are as they were stored. */
  private readonly compared = new LRUCache<string, true>({ max: 1000 })

  constructor(private readonly most = MOST) {}

  /**
   * Returns the first file with this name; undefined if there is none, or if the archive is not readable up
   * to it, and was stored so. Throws the reason of `signal`, errors of the source, and `DifferentBlobError`.
   */
  async find(
    key: string,
    source: StoredArchive,
    name: string,
    signal: AbortSignal,
  ): Promise<PackedEntry | undefined> {
    const index = await this.directory(key, source, signal)
    return index ? index.find(name) : this.search(key, source, name, signal)
  }

  /**
   * The entries of a folder; undefined if there is none. `too-large`: the archive has too many files. An empty path
   * is the whole archive. Throws as `find` does.
   */
  async list(
    key: string,
    source: StoredArchive,
    path: string,
    range: ListingRange,
    signal: AbortSignal,
  ): Promise<FolderListing | 'too-large' | undefined> {
    const index = await this.directory(key, source, signal)
    return index ? index.list(path, range) : 'too-large'
  }

  /**
   * Looks whether an archive that cannot be read was stored so: runners may upload anything. Throws `DifferentBlobError`
   * if it has changed since.
   */
  async compare(key: string, source: StoredArchive, signal: AbortSignal): Promise<void> {
    if (this.compared.has(key)) return
    await source.compare(signal)
    this.compared.set(key, true)
  }

  private async directory(
    key: string,
    source: StoredArchive,
    signal: AbortSignal,
  ): Promise<ArchiveDirectory | undefined> {
    signal.throwIfAborted()
    const kept = this.kept.get(key)
    if (!kept) return this.build(key, source, signal)
    this.kept.delete(key)
    this.kept.set(key, kept)
    return kept.index
  }

  private async build(
    key: string,
    source: StoredArchive,
    signal: AbortSignal,
  ): Promise<ArchiveDirectory | undefined> {
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

  private begin(key: string, source: StoredArchive): Build {
    const controller = new AbortController()
    const { signal } = controller
    const index = this.queue.add(() => this.read(key, source, signal), { signal })
    const build = { index, controller, waiting: 0 }
    this.builds.set(key, build)
    return build
  }

  private async read(
    key: string,
    source: StoredArchive,
    signal: AbortSignal,
  ): Promise<ArchiveDirectory | undefined> {
    const index = new ArchiveDirectory()
    for await (const entry of this.entriesOf(key, source, signal)) {
      index.add(entry)
      if (index.bytes > this.most.ofOne) {
        this.keep(key, undefined, KEPT_BYTES)
        return undefined
      }
    }
    index.finish()
    this.keep(key, index, index.bytes + KEPT_BYTES)
    return index
  }

  private keep(key: string, index: ArchiveDirectory | undefined, bytes: number): void {
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
    key: string,
    source: StoredArchive,
    name: string,
    signal: AbortSignal,
  ): Promise<PackedEntry | undefined> {
    return this.queue.add(
      async () => {
        for await (const entry of this.entriesOf(key, source, signal)) {
          if (entry.kind === 'file' && entry.name === name) return entry
        }
        return undefined
      },
      { signal },
    )
  }

  /**
   * Files and directories. Stops where the table of contents becomes unreadable, if the archive was stored so.
   */
  private async *entriesOf(
    key: string,
    source: StoredArchive,
    signal: AbortSignal,
  ): AsyncGenerator<PackedEntry & { kind: 'file' | 'directory' }> {
    try {
      const zip = await ZipReader.open(source)
      for await (const { kind, mode, modified, ...entry } of zip.entries()) {
        signal.throwIfAborted()
        if (kind === 'file' || kind === 'directory') yield { ...entry, kind }
      }
    } catch (error) {
      if (!(error instanceof UnreadableArchiveError) || isStoreFailure(error.cause)) throw error
      await this.compare(key, source, signal)
    }
  }
}

/** Errors of the store and the system have a code; errors about the archive format do not. */
export function isStoreFailure(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause
}
