import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

import { FileSource } from './random-access.js'
import { type ZipEntry, ZipReader } from './zip-reader.js'

/**
 * A digest over the names, types, modes and contents of files. It uses only what the table of contents of a zip
 * contains, so that files and an archive of them have the same digest. Timestamps are not included, because a
 * package manager that writes the same files in every job must not change it. Neither is the order, which differs
 * between archivers.
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

/** The digest of `names` below `root` (in the format of `zipFiles`). Sockets and the like are skipped. */
export async function digestOfFiles(
  root: string,
  names: Iterable<string>,
  signal?: AbortSignal,
): Promise<string> {
  const digest = new ContentDigest()
  for (const name of names) {
    signal?.throwIfAborted()
    const path = join(root, name)
    const stats = await lstat(path)
    if (stats.isDirectory()) digest.add(name, 'directory', stats.mode, 0, 0)
    else if (stats.isSymbolicLink()) {
      const target = await readlink(path, { encoding: 'buffer' })
      digest.add(name, 'link', 0, target.length, crc32(target))
    } else if (stats.isFile()) await addFile(digest, name, path, stats)
  }
  return digest.result()
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

const CHUNK_BYTES = 256 * 1024

async function addFile(digest: ContentDigest, name: string, path: string, stats: Stats): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(stats.size, 1)))
    let checksum = 0
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length)
      if (bytesRead === 0) break
      checksum = crc32(chunk.subarray(0, bytesRead), checksum)
      size += bytesRead
    }
    digest.add(name, 'file', stats.mode, size, checksum)
  } finally {
    await file.close()
  }
}
