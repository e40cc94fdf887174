import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { mapInOrder } from '../lib/map-in-order.js'
import { type ArchiveInput, closeInput, INPUTS_AT_ONCE } from './archive-input.js'
import { FileSource } from './random-access.js'
import { TreeReader } from './tree-inputs.js'
import { type ZipEntry, ZipReader } from './zip-reader.js'

/**
 * A digest over the names, types, modes and contents of files. It uses only what the table of contents of a zip
 * contains, so that files and an archive of them have the same digest. Timestamps are not included, because a
 * package manager that writes the same files in every job must not change it. The order is not included either: it
 * differs between archivers.
 */
class ContentDigest {
  private readonly sum = Buffer.alloc(32)

  add(name: string, kind: ZipEntry['kind'], mode: number, size: number, checksum: number): void {
    const traits = kind === 'link' ? 'link' : `${kind} ${(mode & 0o777).toString(8)}`
    const content = kind === 'directory' ? '' : `${size} ${checksum >>> 0}`
    const line = createHash('sha256')
      .update(`${JSON.stringify(name)} ${traits} ${content}`)
      .digest()
    for (let index = 0; index < line.length; index++) this.sum[index]! ^= line[index]!
  }

  result(): string {
    return `1-${this.sum.toString('hex')}`
  }
}

/** The digest of `names` below `root` (`/` as separator, directories end in `/`), which are read like those of a zip. */
export async function digestOfFiles(
  root: string,
  names: Iterable<string>,
  signal?: AbortSignal,
): Promise<string> {
  const digest = new ContentDigest()
  const inputs = new TreeReader(root, signal).inputs(names)
  for await (const input of mapInOrder(inputs, INPUTS_AT_ONCE, (open) => open(), closeInput))
    await addInput(digest, input)
  return digest.result()
}

/** Sockets and the like are skipped. */
async function addInput(digest: ContentDigest, input: ArchiveInput): Promise<void> {
  const { name, mode } = input
  if (input.kind === 'directory') digest.add(`${name}/`, 'directory', mode, 0, 0)
  else if (input.kind === 'link') digest.add(name, 'link', 0, input.target.length, crc32(input.target))
  else if (input.kind === 'file') digest.add(name, 'file', mode, input.content.length, crc32(input.content))
  else if (input.kind === 'stream') {
    let checksum = 0
    let size = 0
    for await (const chunk of input.content) {
      checksum = crc32(chunk, checksum)
      size += chunk.length
    }
    digest.add(name, 'file', mode, size, checksum)
  }
}

/** The digest of the entries of a zip. */
export async function digestOfZip(zipFile: string, signal?: AbortSignal): Promise<string> {
  const source = await FileSource.open(zipFile)
  const digest = new ContentDigest()
  try {
    const reader = await ZipReader.open(source)
    for await (const { name, kind, mode = 0, size, crc32: checksum } of reader.entries()) {
      signal?.throwIfAborted()
      digest.add(name, kind, mode, size, checksum)
    }
    return digest.result()
  } finally {
    await source.close()
  }
}
