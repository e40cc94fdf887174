import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'

import { checkContent, ContentCheck, inflateEntry } from './entry-content.js'
import { unreadable, UnreadableArchiveError } from './errors.js'
import { HeaderReader, type RandomAccessSource, readSpan } from './random-access.js'

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

const STORED = 0
const DEFLATED = 8
const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false }

/** A zip that is read entry by entry; only its table of contents and what is asked for is ever read. */
export class ZipReader {
  private readonly entriesByZipEntry = new WeakMap<ZipEntry, Entry>()

  private constructor(
    private readonly source: RandomAccessSource,
    private readonly zip: ZipFile,
  ) {}

  /** The source is closed by whoever opened it, after the last read. Throws `UnreadableArchiveError`. */
  static async open(source: RandomAccessSource): Promise<ZipReader> {
    const reader = new HeaderReader(source)
    return new ZipReader(source, await readable(fromRandomAccessReaderPromise(reader, source.size, OPTIONS)))
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

  /**
   * The unpacked bytes of an entry that `entries` gave. The stream fails with `UnreadableArchiveError` when they are not
   * what was packed.
   */
  async stream(entry: ZipEntry): Promise<Readable> {
    const { claim, span, isDeflated } = await this.locate(entry)
    const packed = span.start === span.end ? Readable.from([]) : await this.source.read(span)
    const check = new ContentCheck(claim)
    // Errors reach `check`, where its reader hears of them.
    if (isDeflated) pipeline(packed, createInflateRaw(), check, () => undefined)
    else pipeline(packed, check, () => undefined)
    return check
  }

  /** As `stream`, for an entry that is small enough to be held. */
  async read(entry: ZipEntry): Promise<Buffer> {
    const { claim, span, isDeflated } = await this.locate(entry)
    const packed = await readable(readSpan(this.source, span))
    const content = isDeflated ? await readable(inflateEntry(packed, claim)) : packed
    checkContent(content, claim)
    return content
  }

  /** Where the packed bytes are, which lie within the archive. */
  private async locate(entry: ZipEntry) {
    const found = this.entriesByZipEntry.get(entry)
    const label = JSON.stringify(entry.name)
    if (!found) throw new UnreadableArchiveError(`The archive has no entry ${label}`)
    const { compressionMethod: method } = found
    if (found.isEncrypted()) throw new UnreadableArchiveError(`The archive has an encrypted entry: ${label}`)
    if (method !== STORED && method !== DEFLATED) {
      throw new UnreadableArchiveError(`The archive has an entry of the unknown method ${method}: ${label}`)
    }
    const { fileDataStart: start } = await readable(
      this.zip.readLocalFileHeaderPromise(found, { minimal: true }),
    )
    return {
      claim: { name: entry.name, size: entry.size, crc: found.crc32 },
      span: { start, end: start + entry.compressedSize },
      isDeflated: method === DEFLATED,
    }
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
    throw unreadable(error)
  }
}
