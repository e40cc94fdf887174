import { randomUUID } from 'node:crypto'
import { copyFile, type FileHandle, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline as connect, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { isExistingFile, isMissingFile, namesIn } from '../../../lib/files.js'
import { checkBlobKey, isBlobKey } from './blob-key.js'
import type { BlobStore, ByteRange, ExpectedBlob, ListedBlob, StoredBlob } from './blob-store.js'
import { ComparedBytes, sizeDifference } from './compared-bytes.js'
import { ComparedStream } from './compared-stream.js'
import { BlobMissingError, DifferentBlobError } from './errors.js'
import { Measure } from './measure.js'

/** Inside the root, but unreachable for keys: segments with a leading dot are refused. */
const INCOMING = '.incoming'

/**
 * Stores blobs as files in one folder. A blob is written to a temporary file, flushed to disk, and renamed.
 */
export class FolderBlobStore implements BlobStore {
  constructor(private readonly root: string) {}

  async write(key: string, body: Readable, maxBytes = Infinity): Promise<StoredBlob> {
    const path = this.pathOf(key)
    const temporary = join(this.root, INCOMING, randomUUID())
    // Until the pipeline attaches its listener, an error of `body` would be unhandled and end the process.
    body.on('error', () => undefined)
    await mkdir(dirname(temporary), { recursive: true, mode: 0o700 })
    try {
      const measure = new Measure(maxBytes)
      // Opened before the body is read: a body that fails at once would else be deleted before the file is there.
      const file = await open(temporary, 'wx', 0o600)
      await pipeline(body, measure, file.createWriteStream({ flush: true }))
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(temporary, path)
      return measure.result()
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async storeFile(key: string, file: string): Promise<void> {
    const path = this.pathOf(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      await link(file, path)
    } catch (error) {
      // Folders may be on two disks, and not every file system has links.
      if (!isLinkImpossible(error)) throw error
      await this.copyIn(path, file)
    }
  }

  async copy(from: string, to: string): Promise<void> {
    try {
      await this.storeFile(to, this.pathOf(from))
    } catch (error) {
      // The key may be stored already; equal keys have equal bytes.
      if (isExistingFile(error)) return
      throw isMissingFile(error) ? new BlobMissingError(from, { cause: error }) : error
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(this.pathOf(key))
      return file.createReadStream(range)
    } catch (error) {
      throw isMissingFile(error) ? new BlobMissingError(key, { cause: error }) : error
    }
  }

  async readWhole(key: string, expected: ExpectedBlob): Promise<Readable> {
    const file = await this.openExpected(key, expected)
    const compared = new ComparedStream(new ComparedBytes(expected), (difference) =>
      this.different(key, difference),
    )
    // The reader of `compared` gets the errors.
    connect(file.createReadStream(), compared, () => undefined)
    return compared
  }

  async readPart(key: string, range: ByteRange, expected: ExpectedBlob): Promise<Readable> {
    return (await this.openExpected(key, expected)).createReadStream(range)
  }

  private async openExpected(key: string, expected: ExpectedBlob): Promise<FileHandle> {
    const path = this.pathOf(key)
    try {
      const file = await open(path)
      const { size } = await file.stat()
      if (size === expected.size) return file
      await file.close()
      throw this.different(key, sizeDifference(size, expected))
    } catch (error) {
      throw isMissingFile(error) ? new BlobMissingError(key, { cause: error }) : error
    }
  }

  private different(key: string, difference: string): DifferentBlobError {
    return new DifferentBlobError(`The file ${this.pathOf(key)}`, difference)
  }

  async exists(key: string): Promise<boolean> {
    return (await this.find(key)) !== undefined
  }

  async find(key: string): Promise<ListedBlob | undefined> {
    try {
      const { size, mtime, ctime, ino } = await stat(this.pathOf(key))
      // A link to an older file has the time of its content; the other time is that of the newest link.
      return { key, size, modifiedAt: ctime > mtime ? ctime : mtime, tag: String(ino) }
    } catch (error) {
      if (isMissingFile(error)) return undefined
      throw error
    }
  }

  async *list(folder?: string): AsyncGenerator<ListedBlob> {
    for await (const entry of entriesIn(folder === undefined ? this.root : this.pathOf(folder))) {
      const key = folder === undefined ? entry.name : `${folder}/${entry.name}`
      // Not a blob: the folder of unfinished ones, or what somebody else put there, such as `lost+found`.
      if (!isBlobKey(key)) continue
      if (entry.isDirectory()) yield* this.list(key)
      else {
        const blob = await this.find(key)
        if (blob) yield blob
      }
    }
  }

  /** A folder of blobs is in the folder of one installation. */
  claim(): Promise<boolean> {
    return Promise.resolve(true)
  }

  marks(): Promise<string[]> {
    return Promise.resolve([])
  }

  async mark(): Promise<void> {}

  /** Only the coordinator reads the folder. */
  downloadUrl(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async close(): Promise<void> {}

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true })
  }

  async deleteBelow(folder: string): Promise<void> {
    await rm(this.pathOf(folder), { recursive: true, force: true })
  }

  /**
   * Deletes unfinished files of a killed coordinator. Younger files may belong to other coordinators that
   * still write them.
   */
  async deleteAbandoned(olderThan: Date): Promise<void> {
    const folder = join(this.root, INCOMING)
    for (const name of await namesIn(folder)) {
      const { mtime } = await stat(join(folder, name))
      if (mtime < olderThan) await rm(join(folder, name), { force: true })
    }
  }

  private async copyIn(path: string, file: string): Promise<void> {
    const temporary = join(this.root, INCOMING, randomUUID())
    await mkdir(dirname(temporary), { recursive: true, mode: 0o700 })
    try {
      await copyFile(file, temporary)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  private pathOf(key: string): string {
    checkBlobKey(key)
    return join(this.root, key)
  }
}

async function* entriesIn(folder: string) {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

function isLinkImpossible(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EXDEV', 'EPERM', 'ENOTSUP'].includes(String(error.code))
  )
}
