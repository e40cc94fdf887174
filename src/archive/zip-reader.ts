import { PassThrough, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'

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
  /** Permission bits, `undefined` when the archive was not made on a unix. */
  mode: number | undefined
  modified: Date
}

/** Bytes that can be read from anywhere, such as an object of a store. `end` is exclusive. */
export interface RandomAccessSource {
  size: number
  read(range: { start: number; end: number }): Promise<Readable>
}

const inflate = promisify(inflateRaw)

const DEFLATED = 8
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

  /**
   * The unpacked bytes of an entry that `entries` gave. The stream fails with `UnreadableArchiveError` when they are not
   * as many as announced or do not fit their checksum.
   */
  async open(entry: ZipEntry): Promise<Readable> {
    const found = this.found(entry)
    const bytes = await readable(this.zip.openReadStreamPromise(found))
    const checked = new ChecksumCheck(entry.name, found.crc32)
    bytes.once('error', (error) => checked.destroy(unreadable(error)))
    checked.once('close', () => bytes.destroy())
    return bytes.pipe(checked)
  }

  /** As `open`, for an entry that is small enough to be held. */
  async read(entry: ZipEntry): Promise<Buffer> {
    const found = this.found(entry)
    const content = await readable(this.unpack(found))
    if (content.length !== found.uncompressedSize || crc32(content) !== found.crc32) {
      throw wrongChecksum(entry.name)
    }
    return content
  }

  /** In one go, which is quicker than a chain of streams. */
  private async unpack(entry: Entry): Promise<Buffer> {
    if (entry.compressionMethod !== DEFLATED) return buffer(await this.zip.openReadStreamPromise(entry))
    const packed = await buffer(await this.zip.openReadStreamPromise(entry, { decompress: false }))
    // A limit of nothing is no limit for zlib.
    return await inflate(packed, { maxOutputLength: entry.uncompressedSize || 1 })
  }

  /** Streams that are open go on to their end. */
  close(): void {
    this.zip.close()
  }

  private found(entry: ZipEntry): Entry {
    const found = this.entriesByZipEntry.get(entry)
    if (found) return found
    throw new UnreadableArchiveError(`The archive has no entry ${JSON.stringify(entry.name)}`)
  }
}

/** Hands bytes through and fails at their end when they are not those that were packed. */
class ChecksumCheck extends Transform {
  private checksum = 0

  constructor(
    private readonly entryName: string,
    private readonly expected: number,
  ) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.checksum = crc32(chunk, this.checksum)
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    done(this.checksum === this.expected ? null : wrongChecksum(this.entryName))
  }
}

function wrongChecksum(name: string): UnreadableArchiveError {
  return new UnreadableArchiveError(`The archive is damaged: ${JSON.stringify(name)} has another checksum`)
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

function unreadable(error: unknown): UnreadableArchiveError {
  return new UnreadableArchiveError(`The archive cannot be read: ${messageOf(error)}`, { cause: error })
}
