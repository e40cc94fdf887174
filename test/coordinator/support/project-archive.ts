import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'

import { extract, pack } from 'tar-stream'

/** The files of a tar.gz, by name. */
export async function unpackArchive(archive: Readable | Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const source = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive
  for await (const entry of source.pipe(createGunzip()).pipe(extract())) {
    files.set(entry.header.name, await buffer(entry))
  }
  return files
}

/** The records of a file of an archive. */
export function recordsIn(file: Buffer | undefined): unknown[] {
  const lines = file?.toString().split('\n').filter(Boolean) ?? []
  return lines.map((line) => JSON.parse(line) as unknown)
}

/** A tar.gz with these entries, in their order. */
export async function packArchive(entries: PackedEntry[]): Promise<Buffer> {
  const archive = pack()
  const packed = buffer(archive.pipe(createGzip({ level: 1 })))
  for (const { name, content = '', ...header } of entries) archive.entry({ name, ...header }, content)
  archive.finalize()
  return packed
}

export interface PackedEntry {
  name: string
  content?: string | Buffer
  type?: 'file' | 'symlink' | 'link' | 'directory' | 'character-device'
  linkname?: string
}

/** The first file of an archive that can be imported. */
export function projectFile(more: Record<string, unknown> = {}): PackedEntry {
  const content = JSON.stringify({ format: 'switchyard-project', version: 1, settings: {}, ...more })
  return { name: 'project.json', content }
}
