import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import type { S3Body } from '../../../../s3/s3-client.js'

/** Bytes of a part that are kept in memory; a larger one is written to a file. */
const IN_MEMORY = 256 * 1024

/**
 * Collects the bytes of one part of an upload, so that it can be sent again. The file of a part has no name, so a
 * killed process leaves none.
 */
export class SpooledPart {
  /** Bytes. */
  size = 0
  private readonly hash = createHash('sha256')
  private chunks: Buffer[] = []
  private file: FileHandle | undefined

  /** @param folder for the files of larger parts; created when needed */
  constructor(private readonly folder: string) {}

  async add(chunk: Buffer): Promise<void> {
    this.hash.update(chunk)
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.file === undefined && this.size <= IN_MEMORY) return
    this.file ??= await openNameless(this.folder)
    await this.flush(this.file)
  }

  /** All bytes. Call it once, after the last `add`. */
  body(): S3Body {
    const { file, chunks, size } = this
    return {
      size,
      sha256: this.hash.digest('hex'),
      open: () => Readable.from(file === undefined ? chunks : bytesOf(file), { objectMode: false }),
    }
  }

  async discard(): Promise<void> {
    this.chunks = []
    await this.file?.close()
  }

  private async flush(file: FileHandle): Promise<void> {
    for (const chunk of this.chunks) {
      for (let done = 0; done < chunk.length;) {
        done += (await file.write(chunk, done)).bytesWritten
      }
    }
    this.chunks = []
  }
}

/** Not a stream of the file handle, which would close it. */
async function* bytesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(IN_MEMORY), 0, IN_MEMORY, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
