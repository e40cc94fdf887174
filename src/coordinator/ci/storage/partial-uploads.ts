import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { constants, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'

import { isMissingFile, namesIn, removeOlder } from '../../../lib/files.js'
import type { StoredBlob } from './blob-store.js'
import { BlobTooLargeError, InvalidBlobKeyError } from './errors.js'
import { KeyLock } from './key-lock.js'

/** Identifies one upload. A job sends at most one upload per name at a time. */
export interface UploadId {
  projectId: number
  jobId: number
  /** `[a-z0-9_-]+` */
  name: string
}

/**
 * `size`: bytes stored now. `conflict`: the stored bytes did not end at `offset` and nothing was written, or
 * another sender took over.
 */
export interface AppendedUpload {
  kind: 'appended' | 'conflict'
  size: number
}

/**
 * Incomplete uploads, separate from the finished files, one file each at `<root>/<project>/<job>/<name>`. The
 * size of the file is the only record of how much has arrived, so a killed coordinator loses nothing of it.
 * Bytes are written at their own offset, so two coordinators that write the same upload do not corrupt it.
 */
export class PartialUploads {
  private readonly lock = new KeyLock<string>()
  private readonly writers = new Map<string, AbortController>()

  constructor(private readonly root: string) {}

  /** Bytes; 0 if there is no upload. */
  async size(id: UploadId): Promise<number> {
    try {
      const { size } = await stat(this.pathOf(id))
      return size
    } catch (error) {
      if (isMissingFile(error)) return 0
      throw error
    }
  }

  /**
   * Appends `body` at `offset`, which must be the current size. If `body` fails, the bytes that arrived are
   * kept. If the upload would exceed `maxBytes`, nothing of `body` is kept (`BlobTooLargeError`). An earlier
   * sender that still writes is cut off: a sender reconnects only after it has abandoned its old connection.
   */
  async append(id: UploadId, offset: number, body: Readable, maxBytes = Infinity): Promise<AppendedUpload> {
    const path = this.pathOf(id)
    const stop = this.takeOver(path)
    // Until a reader attaches, an error of `body` would be unhandled and end the process.
    body.on('error', () => undefined)
    try {
      return await this.lock.run(path, async () => {
        const size = await this.size(id)
        if (size !== offset) return { kind: 'conflict', size }
        addAbortSignal(stop.signal, body)
        return { kind: 'appended', size: await writeAt(path, offset, body, maxBytes) }
      })
    } catch (error) {
      if (stop.signal.aborted) return { kind: 'conflict', size: await this.size(id) }
      if (error instanceof BlobTooLargeError) await this.remove(id)
      throw error
    } finally {
      if (this.writers.get(path) === stop) this.writers.delete(path)
    }
  }

  /**
   * Flushes the file to disk and passes it to `use`. The file stays until `remove`, which `use` may call. No
   * other call in this process writes to it during `use`. Returns undefined if there is no file.
   */
  async finish<T>(
    id: UploadId,
    use: (file: string, measured: StoredBlob) => Promise<T>,
  ): Promise<T | undefined> {
    const path = this.pathOf(id)
    this.writers.get(path)?.abort()
    return this.lock.run(path, async () => {
      const measured = await measure(path)
      return measured && (await use(path, measured))
    })
  }

  async remove(id: UploadId): Promise<void> {
    await rm(this.pathOf(id), { force: true })
  }

  async deleteProject(projectId: number): Promise<void> {
    await rm(join(this.root, String(projectId)), { recursive: true, force: true })
  }

  /** Periodic task: deletes uploads that received no byte since `olderThan`. Returns their number. */
  async deleteAbandoned(olderThan: Date): Promise<number> {
    let removed = 0
    for (const project of await namesIn(this.root)) {
      for (const job of await namesIn(join(this.root, project))) {
        const folder = join(this.root, project, job)
        for (const name of await namesIn(folder)) {
          if (await removeOlder(join(folder, name), olderThan)) removed++
        }
      }
    }
    return removed
  }

  private takeOver(path: string): AbortController {
    const stop = new AbortController()
    this.writers.get(path)?.abort()
    this.writers.set(path, stop)
    return stop
  }

  private pathOf({ projectId, jobId, name }: UploadId): string {
    if (!/^[a-z0-9_-]+$/.test(name)) throw new InvalidBlobKeyError(name)
    return join(this.root, String(projectId), String(jobId), name)
  }
}

/** The size that the file has then. */
async function writeAt(path: string, offset: number, body: Readable, maxBytes: number): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    return await writeChunks(file, offset, body, maxBytes)
  } finally {
    await file.close()
  }
}

async function writeChunks(
  file: FileHandle,
  offset: number,
  body: Readable,
  maxBytes: number,
): Promise<number> {
  let position = offset
  // The stream is a request: destroying it would close the connection that a refusal is served on.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) {
    if (position + chunk.length > maxBytes) throw new BlobTooLargeError(maxBytes)
    for (let written = 0; written < chunk.length;) {
      const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position + written)
      written += bytesWritten
    }
    position += chunk.length
  }
  return position
}

/** Size and digest of the file, after flushing it to disk. */
async function measure(path: string): Promise<StoredBlob | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'r+')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
  await file.sync()
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}
