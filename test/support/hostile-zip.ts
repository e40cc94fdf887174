import { crc32 } from 'node:zlib'

export interface HostileEntry {
  name: string
  content?: string
  /** Unix mode with its file type; a plain file when absent. */
  mode?: number
  /** The claimed uncompressed size; by default the real one. */
  claimedSize?: number
}

/** A zip of stored entries with exactly these names, also invalid ones. */
export function hostileZip(entries: HostileEntry[]): Buffer {
  const files: Buffer[] = []
  const contents: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const file = fileRecord(entry)
    contents.push(contentsRecord(entry, offset))
    files.push(file)
    offset += file.length
  }
  const table = Buffer.concat(contents)
  return Buffer.concat([...files, table, endRecord(entries.length, table.length, offset)])
}

function fileRecord(entry: HostileEntry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  common(entry).copy(header, 4)
  return Buffer.concat([header, Buffer.from(entry.name), Buffer.from(entry.content ?? '')])
}

function contentsRecord(entry: HostileEntry, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | 20, 4)
  common(entry).copy(header, 6)
  header.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, Buffer.from(entry.name)])
}

/** The common fields of both records, from "version needed" to "extra length". */
function common(entry: HostileEntry): Buffer {
  const content = Buffer.from(entry.content ?? '')
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x800, 2)
  fields.writeUInt16LE(entry.claimedSize === undefined ? 0 : 8, 4)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(entry.claimedSize ?? content.length, 18)
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22)
  return fields
}

function endRecord(count: number, tableBytes: number, tableOffset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(tableBytes, 12)
  end.writeUInt32LE(tableOffset, 16)
  return end
}
