import type { InputTraits } from './archive-input.js'

/** The metadata of one entry in a zip. Field layouts are those of APPNOTE.TXT 6.3, 4.3 and 4.5. */
export interface ZipRecord extends Pick<InputTraits, 'modified' | 'uid' | 'gid'> {
  /** Directories end in `/`. */
  name: string
  /** Includes the bits of the file type. */
  unixMode: number
  method: 'stored' | 'deflated'
  crc: number
  /** In bytes, unpacked and in the archive. */
  size: number
  packedSize: number
  /** Position of its local header. */
  offset: number
  /** Whether checksum and sizes follow the bytes, because they are unknown when the entry begins. */
  isStreamed: boolean
  /** Whether a streamed entry has sizes of eight bytes, which must be decided before the sizes are known. */
  isLarge: boolean
}

export const FILE_TYPES = { file: 0o100000, directory: 0o040000, link: 0o120000 } as const

/** Replaces a number that is too large for its field and is stored in an extra field. */
const BEYOND_32 = 0xffffffff
const BEYOND_16 = 0xffff

const METHODS = { stored: 0, deflated: 8 } as const
const NAMES_ARE_UTF8 = 0x0800
const SIZES_FOLLOW = 0x0008
const MADE_ON_UNIX = 3 << 8
const VERSION = 20
const VERSION_ZIP64 = 45
const DOS_DIRECTORY = 0x10

const ZIP64_EXTRA = 0x0001
const TIME_EXTRA = 0x5455
const OWNER_EXTRA = 0x7875

/** Precedes the bytes of an entry. */
export function localHeader(record: ZipRecord): Buffer {
  const { isStreamed, isLarge } = record
  const name = Buffer.from(record.name)
  const sizes = isStreamed ? { crc: 0, packedSize: 0, size: 0 } : record
  const extra = Buffer.concat([
    ...(isLarge ? [zip64Extra([sizes.size, sizes.packedSize])] : []),
    timeExtra(record),
    ownerExtra(record),
  ])
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, record, isLarge)
  header.writeUInt32LE(sizes.crc, 14)
  header.writeUInt32LE(isLarge ? BEYOND_32 : sizes.packedSize, 18)
  header.writeUInt32LE(isLarge ? BEYOND_32 : sizes.size, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

/** Follows the bytes of a streamed entry. */
export function dataDescriptor({ crc, packedSize, size, isLarge }: ZipRecord): Buffer {
  const descriptor = Buffer.alloc(isLarge ? 24 : 16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(packedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(packedSize, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

/** The record of the entry in the table of contents. */
export function directoryHeader(record: ZipRecord): Buffer {
  const { size, packedSize, offset, unixMode } = record
  const name = Buffer.from(record.name)
  const beyond = [size, packedSize, offset].filter((number) => number >= BEYOND_32)
  const extras = [timeExtra(record), ownerExtra(record)]
  const extra = Buffer.concat(beyond.length > 0 ? [zip64Extra(beyond), ...extras] : extras)
  const isDirectory = (unixMode & FILE_TYPES.directory) !== 0
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 4)
  writeCommon(header, 6, record, beyond.length > 0 || record.isLarge)
  header.writeUInt32LE(record.crc, 16)
  header.writeUInt32LE(Math.min(packedSize, BEYOND_32), 20)
  header.writeUInt32LE(Math.min(size, BEYOND_32), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(((unixMode << 16) | (isDirectory ? DOS_DIRECTORY : 0)) >>> 0, 38)
  header.writeUInt32LE(Math.min(offset, BEYOND_32), 42)
  return Buffer.concat([header, name, extra])
}

export interface DirectoryFacts {
  entries: number
  /** Size of the table of contents. */
  size: number
  offset: number
}

/** Follows the table of contents and ends the archive. */
export function endRecords({ entries, size, offset }: DirectoryFacts): Buffer {
  const needsZip64 = entries >= BEYOND_16 || size >= BEYOND_32 || offset >= BEYOND_32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, BEYOND_16), 8)
  end.writeUInt16LE(Math.min(entries, BEYOND_16), 10)
  end.writeUInt32LE(Math.min(size, BEYOND_32), 12)
  end.writeUInt32LE(Math.min(offset, BEYOND_32), 16)
  return needsZip64 ? Buffer.concat([zip64EndRecords({ entries, size, offset }), end]) : end
}

function zip64EndRecords({ entries, size, offset }: DirectoryFacts): Buffer {
  const records = Buffer.alloc(56 + 20)
  records.writeUInt32LE(0x06064b50, 0)
  records.writeBigUInt64LE(44n, 4)
  records.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12)
  records.writeUInt16LE(VERSION_ZIP64, 14)
  records.writeBigUInt64LE(BigInt(entries), 24)
  records.writeBigUInt64LE(BigInt(entries), 32)
  records.writeBigUInt64LE(BigInt(size), 40)
  records.writeBigUInt64LE(BigInt(offset), 48)
  records.writeUInt32LE(0x07064b50, 56)
  records.writeBigUInt64LE(BigInt(offset + size), 64)
  records.writeUInt32LE(1, 72)
  return records
}

/** The fields from "version needed" to the date, which are the same in both headers. */
function writeCommon(header: Buffer, at: number, record: ZipRecord, isZip64: boolean): void {
  const { time, date } = dosTime(record.modified)
  header.writeUInt16LE(isZip64 ? VERSION_ZIP64 : VERSION, at)
  header.writeUInt16LE(NAMES_ARE_UTF8 | (record.isStreamed ? SIZES_FOLLOW : 0), at + 2)
  header.writeUInt16LE(METHODS[record.method], at + 4)
  header.writeUInt16LE(time, at + 6)
  header.writeUInt16LE(date, at + 8)
}

/** In UTC, so that the same files give the same bytes everywhere. The exact time is in an extra field. */
function dosTime(moment: Date): { time: number; date: number } {
  const year = moment.getUTCFullYear()
  if (!(year >= 1980)) return { time: 0, date: (1 << 5) | 1 }
  if (year > 2107) return { time: 0xbf7d, date: 0xff9f }
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  }
}

function zip64Extra(numbers: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length)
  extra.writeUInt16LE(ZIP64_EXTRA, 0)
  extra.writeUInt16LE(8 * numbers.length, 2)
  numbers.forEach((number, index) => extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index))
  return extra
}

/** Seconds since 1970, as a signed 32-bit number. */
function timeExtra({ modified }: ZipRecord): Buffer {
  const seconds = Math.floor(modified.getTime() / 1000)
  const extra = Buffer.alloc(9)
  extra.writeUInt16LE(TIME_EXTRA, 0)
  extra.writeUInt16LE(5, 2)
  extra.writeUInt8(1, 4)
  extra.writeInt32LE(Math.min(Math.max(seconds, -0x80000000), 0x7fffffff), 5)
  return extra
}

function ownerExtra({ uid, gid }: ZipRecord): Buffer {
  const extra = Buffer.alloc(15)
  extra.writeUInt16LE(OWNER_EXTRA, 0)
  extra.writeUInt16LE(11, 2)
  extra.writeUInt8(1, 4)
  extra.writeUInt8(4, 5)
  extra.writeUInt32LE(uid >>> 0, 6)
  extra.writeUInt8(4, 10)
  extra.writeUInt32LE(gid >>> 0, 11)
  return extra
}
