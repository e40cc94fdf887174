import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

import { mapInOrder } from '../lib/map-in-order.js'
import { type ArchiveInput, type ArchiveInputs, closeInput, INPUTS_AT_ONCE } from './archive-input.js'
import { coalesce } from './coalesce.js'
import { deflateInPieces } from './deflate.js'
import { NotAFileError } from './errors.js'
import { limitedCores, type OnCore } from './limited-cores.js'

const HAS_NAME = 0x08
const HAS_COMMENT = 0x10
const MADE_ON_UNIX = 3

/**
 * Writes each file as a gzip member with its base name and path in the header, one after the other: unpacked, they
 * are one text (runner protocol, 5.4). Directories are skipped. Anything else fails the stream with
 * `NotAFileError`. The same files give the same bytes. `level` is that of deflate, and 0 stores. `cores` limits the
 * cores for compression. Undefined means all.
 */
export function gzipInputs(inputs: ArchiveInputs, level: number, cores?: number): Readable {
  return Readable.from(coalesce(members(inputs, level, limitedCores(cores))), { objectMode: false })
}

async function* members(inputs: ArchiveInputs, level: number, onCore: OnCore): AsyncGenerator<Buffer> {
  for await (const input of mapInOrder(inputs, INPUTS_AT_ONCE, (open) => open(), closeInput)) {
    if (input.kind === 'file') yield* member(input, [input.content], level, onCore)
    else if (input.kind === 'stream') yield* streamedMember(input, level, onCore)
    else if (input.kind !== 'directory') throw new NotAFileError(input.name)
  }
}

async function* streamedMember(
  input: ArchiveInput & { kind: 'stream' },
  level: number,
  onCore: OnCore,
): AsyncGenerator<Buffer> {
  try {
    yield* member(input, input.content, level, onCore)
  } finally {
    await input.close()
  }
}

async function* member(
  input: ArchiveInput,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  level: number,
  onCore: OnCore,
): AsyncGenerator<Buffer> {
  let checksum = 0
  let size = 0
  yield memberHeader(input)
  for await (const piece of deflateInPieces(content, level, onCore)) {
    checksum = crc32(piece.content, checksum)
    size += piece.content.length
    yield piece.deflated
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  yield trailer
}

/** RFC 1952, 2.3. */
function memberHeader({ name, modified }: ArchiveInput): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, HAS_NAME | HAS_COMMENT, 0, 0, 0, 0, 0, MADE_ON_UNIX])
  const seconds = Math.floor(modified.getTime() / 1000)
  header.writeUInt32LE(seconds > 0 && seconds <= 0xffffffff ? seconds : 0, 4)
  const baseName = name.slice(name.lastIndexOf('/') + 1)
  return Buffer.concat([header, Buffer.from(`${headerText(baseName)}\0${headerText(name)}\0`)])
}

/** The fields only hold Latin-1. Other names are written as `e:` and percent-encoded (runner protocol, 5.4). */
function headerText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\x01-\x24\x26-\x7f]*$/.test(text) ? text : `e:${encodeURIComponent(text)}`
}
