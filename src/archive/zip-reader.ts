import type { Readable } from 'node:stream'

import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'

import { unreadable } from './errors.js'
import { type PackedEntry, readEntry, streamEntry } from './packed-entry.js'
import { HeaderReader, type RandomAccessSource } from './random-access.js'

/** The name is unchecked, as in the archive: see `safeComponents`. */
export interface ZipEntry extends PackedEntry {
  kind: 'file' | 'directory' | 'link' | 'special'
  /** Permission bits. Undefined if the archive was not created on Unix. */
  mode: number | undefined
  modified: Date
}

const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false }

/** Reads a zip entry by entry. Reads only its table of contents and the requested entries. */
export class ZipReader {
  private constructor(
    private readonly source: RandomAccessSource,
    private readonly zip: ZipFile,
  ) {}

  /** The caller closes the source after the last read. Throws `UnreadableArchiveError`. */
  static async open(source: RandomAccessSource): Promise<ZipReader> {
    const reader = new HeaderReader(source)
    return new ZipReader(source, await readable(fromRandomAccessReaderPromise(reader, source.size, OPTIONS)))
  }

  /** In the order of the table of contents. May be iterated once. */
  async *entries(): AsyncGenerator<ZipEntry> {
    const walk = this.zip.eachEntry()
    for (;;) {
      const next = await readable(walk.next())
      if (next.done) return
      yield presentEntry(next.value)
    }
  }

  /** The unpacked bytes of an entry. See `streamEntry`. */
  stream(entry: ZipEntry): Promise<Readable> {
    return streamEntry(this.source, entry)
  }

  /** Like `stream`, for an entry that is small enough to buffer. */
  read(entry: ZipEntry): Promise<Buffer> {
    return readEntry(this.source, entry)
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
    method: entry.compressionMethod,
    isEncrypted: entry.isEncrypted(),
    offset: entry.relativeOffsetOfLocalHeader,
    mode: unixMode === 0 ? undefined : unixMode & 0o7777,
    modified: entry.getLastModDate({ timezone: 'UTC' }),
  }
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw unreadable(error)
  }
}
