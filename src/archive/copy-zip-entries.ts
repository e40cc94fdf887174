import { Readable } from 'node:stream'

import { coalesce } from './coalesce.js'
import { nameProblem } from './entry-name.js'
import { DEFLATED, locate, STORED } from './packed-entry.js'
import type { RandomAccessSource } from './random-access.js'
import { ZipDirectory } from './zip-directory.js'
import type { ZipEntry } from './zip-reader.js'
import { FILE_TYPES, localHeader, type ZipRecord } from './zip-records.js'

/**
 * A zip of entries of another one, whose packed bytes are copied as they are. `rename` returns the name in the new zip;
 * undefined leaves an entry out. Encrypted entries, special files, and names that readers would refuse are left out too.
 * An entry that cannot be read destroys the stream with `UnreadableArchiveError`.
 */
export function copyZipEntries(
  source: RandomAccessSource,
  entries: AsyncIterable<ZipEntry>,
  rename: (name: string) => string | undefined,
): Readable {
  return Readable.from(coalesce(copies(source, entries, rename)), { objectMode: false })
}

async function* copies(
  source: RandomAccessSource,
  entries: AsyncIterable<ZipEntry>,
  rename: (name: string) => string | undefined,
): AsyncGenerator<Buffer> {
  const directory = new ZipDirectory()
  for await (const entry of entries) {
    const record = recordOf(entry, rename(entry.name), directory.offset)
    if (!record) continue
    // Opened before the header is written, so that a missing entry leaves nothing.
    const span = await locate(source, entry)
    yield directory.counted(localHeader(record))
    if (span.start < span.end) {
      for await (const chunk of await source.read(span)) yield directory.counted(chunk as Buffer)
    }
    directory.add(record)
  }
  yield* directory.end()
}

/** Undefined for an entry that is not copied. */
function recordOf(entry: ZipEntry, name: string | undefined, offset: number): ZipRecord | undefined {
  const { kind, method, isEncrypted, mode = MODES[kind], modified, crc32: crc, size, compressedSize } = entry
  if (name === undefined || nameProblem(name) !== undefined || kind === 'special' || isEncrypted)
    return undefined
  if (method !== STORED && method !== DEFLATED) return undefined
  return {
    name: kind === 'directory' && !name.endsWith('/') ? `${name}/` : name,
    unixMode: FILE_TYPES[kind] | mode,
    method: method === STORED ? 'stored' : 'deflated',
    crc,
    size,
    packedSize: compressedSize,
    offset,
    isStreamed: false,
    isLarge: Math.max(size, compressedSize) >= LARGE_BYTES,
    modified,
    uid: 0,
    gid: 0,
  }
}

/** Permissions of entries of archives that were not created on Unix. */
const MODES = { file: 0o644, directory: 0o755, link: 0o777, special: 0 }
const LARGE_BYTES = 0xffffffff
