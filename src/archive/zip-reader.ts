import { PassThrough, pipeline, type Readable } from 'node:stream'

import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'

import { messageOf } from '../lib/errors.js'
import { UnreadableArchiveError } from './errors.js'

export interface ZipEntry {
  /** As the archive has it, unchecked: see `safeComponents`. */
  name: string
  kind: 'file' | 'directory' | 'link' | 'special'
  /** Bytes, unpacked and in the archive. */
  size: number
  compressedSize: number
  /** Of the unpacked bytes, as the archive says. */
  crc32: number
  /** Permission bits, `undefined` when the archive was not made on a unix. */
  mode: number | undefined
  modified: Date
}

/** Bytes that can be read from anywhere, such as an object of a store. `end` is exclusive. */
export interface RandomAccessSource {
  size: number
  read(range: { start: number; end: number }): Promise<Readable>
}

const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false }

/** A zip that is read entry by entry; only its table of contents and what is asked for is ever read. */
export class ZipReader {
  private readonly entriesByZipEntry = new WeakMap<ZipEntry, Entry>()

  private constructor(
    private readonly zip: ZipFile,
    /** Bytes of the whole archive. */
    readonly size: number,
  ) {}

  static async openFile(path: string): Promise<ZipReader> {
    const zip = await readable(openPromise(path, OPTIONS))
    return new ZipReader(zip, zip.fileSize)
  }

  static async openSource(source: RandomAccessSource): Promise<ZipReader> {
    const reader = new SourceReader(source)
    const zip = await readable(fromRandomAccessReaderPromise(reader, source.size, OPTIONS))
    return new ZipReader(zip, source.size)
  }

  /** In the order of the archive's table of contents; may be walked once. */
  async *entries(): AsyncGenerator<ZipEntry> {
    const walk = this.zip.eachEntry()
    for (;;) {
      const next = await readable(walk.next())
      if (next.done) return
      const entry = presentEntry(next.value)
      this.entriesByZipEntry.set(entry, next.value)
      yield entry
    }
  }

  /** The unpacked bytes of an entry that `entries` gave. Fails when they are not as many as announced. */
  async open(entry: ZipEntry): Promise<Readable> {
    const found = this.entriesByZipEntry.get(entry)
    if (!found) throw new UnreadableArchiveError(`The archive has no entry ${JSON.stringify(entry.name)}`)
    return await readable(this.zip.openReadStreamPromise(found))
  }

  /** Streams that are open go on to their end. */
  close(): void {
    this.zip.close()
  }
}

class SourceReader extends RandomAccessReader {
  constructor(private readonly source: RandomAccessSource) {
    super()
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const output = new PassThrough()
    this.source.read({ start, end }).then(
      (bytes) => pipeline(bytes, output, () => undefined),
      (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return output
  }
}

const FILE_TYPE = 0o170000
const MADE_ON_UNIX = 3
const KINDS = new Map<number, ZipEntry['kind']>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
])

function presentEntry(entry: Entry): ZipEntry {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
  const unixMode = entry.versionMadeBy >> 8 === MADE_ON_UNIX ? entry.externalFileAttributes >>> 16 : 0
  const kind = KINDS.get(unixMode & FILE_TYPE) ?? 'special'
  return {
    name,
    kind: kind === 'file' && name.endsWith('/') ? 'directory' : kind,
    size: entry.uncompressedSize,
    compressedSize: entry.compressedSize,
    crc32: entry.crc32,
    mode: unixMode === 0 ? undefined : unixMode & 0o7777,
    modified: entry.getLastModDate({ timezone: 'UTC' }),
  }
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw new UnreadableArchiveError(`The archive cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
