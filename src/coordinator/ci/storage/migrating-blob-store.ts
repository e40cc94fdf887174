import type { Readable } from 'node:stream'

import type {
  BlobStore,
  ByteRange,
  DownloadHeaders,
  ExpectedBlob,
  ListedBlob,
  StoredBlob,
} from './blob-store.js'
import { BlobMissingError } from './errors.js'

/**
 * Stores blobs in `current`, while those in `previous` are moved there. A blob that is only in `previous` is read
 * there. `previous` gets no new blobs, and blobs are deleted from it first. The copy of a blob is kept only if the blob
 * is still in `previous`, so that a deleted blob does not return.
 */
export class MigratingBlobStore implements BlobStore {
  constructor(
    private readonly current: BlobStore,
    private readonly previous: BlobStore,
  ) {}

  write(key: string, body: Readable, maxBytes?: number): Promise<StoredBlob> {
    return this.current.write(key, body, maxBytes)
  }

  storeFile(key: string, file: string): Promise<void> {
    return this.current.storeFile(key, file)
  }

  async copy(from: string, to: string): Promise<void> {
    try {
      await this.current.copy(from, to)
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error
      await this.current.write(to, await this.read(from))
    }
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.openIn(key, (store) => store.read(key, range))
  }

  readWhole(key: string, expected: ExpectedBlob): Promise<Readable> {
    return this.openIn(key, (store) => store.readWhole(key, expected))
  }

  readPart(key: string, range: ByteRange, expected: ExpectedBlob): Promise<Readable> {
    return this.openIn(key, (store) => store.readPart(key, range, expected))
  }

  async exists(key: string): Promise<boolean> {
    return (await this.find(key)) !== undefined
  }

  find(key: string): Promise<ListedBlob | undefined> {
    return this.inEither((store) => store.find(key))
  }

  async *list(folder?: string): AsyncGenerator<ListedBlob> {
    yield* this.current.list(folder)
    for await (const blob of this.previous.list(folder)) {
      if (!(await this.current.exists(blob.key))) yield blob
    }
  }

  async delete(key: string): Promise<void> {
    await this.previous.delete(key)
    await this.current.delete(key)
  }

  async deleteBelow(folder: string): Promise<void> {
    await this.previous.deleteBelow(folder)
    await this.current.deleteBelow(folder)
  }

  async deleteAbandoned(olderThan: Date): Promise<void> {
    await this.previous.deleteAbandoned(olderThan)
    await this.current.deleteAbandoned(olderThan)
  }

  async claim(owner: string, isForced?: boolean): Promise<boolean> {
    return (await this.current.claim(owner, isForced)) && (await this.previous.claim(owner, isForced))
  }

  async marks(): Promise<string[]> {
    return [...(await this.current.marks()), ...(await this.previous.marks())]
  }

  async mark(installation: string | undefined): Promise<void> {
    await this.current.mark(installation)
    await this.previous.mark(installation)
  }

  async downloadUrl(key: string, seconds: number, headers: DownloadHeaders): Promise<string | undefined> {
    return (await this.current.exists(key)) ? this.current.downloadUrl(key, seconds, headers) : undefined
  }

  async close(): Promise<void> {
    await this.current.close()
    await this.previous.close()
  }

  private async openIn(key: string, open: (store: BlobStore) => Promise<Readable>): Promise<Readable> {
    const body = await this.inEither(async (store) => {
      try {
        return await open(store)
      } catch (error) {
        if (error instanceof BlobMissingError) return undefined
        throw error
      }
    })
    if (!body) throw new BlobMissingError(key)
    return body
  }

  /** A blob that is in neither place may have been moved between the two looks. */
  private async inEither<T>(read: (store: BlobStore) => Promise<T | undefined>): Promise<T | undefined> {
    return (await read(this.current)) ?? (await read(this.previous)) ?? (await read(this.current))
  }
}
