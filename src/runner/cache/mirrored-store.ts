import { rm } from 'node:fs/promises'

import {
  type CacheAddress,
  type CacheArchive,
  type CacheStore,
  type FoundCache,
  newArchiveFile,
  type RemoteStore,
  type Transfer,
} from './cache-store.js'
import type { LocalEntry, LocalFolder } from './local-folder.js'
import { borrowed, foundFile } from './local-store.js'

/**
 * A remote store with local copies of the archives that were transferred. Unchanged archives are not transferred
 * again. An archive over `maximumUpload` bytes stays on this machine, and is found here as long as the remote store
 * has none.
 */
export class MirroredStore implements CacheStore {
  readonly isShared = true
  readonly name: string

  constructor(
    private readonly remote: RemoteStore,
    private readonly copies: LocalFolder,
    private readonly options: { temporaryDir: string; maximumUpload: number },
  ) {
    this.name = remote.name
  }

  async find(address: CacheAddress, transfer: Transfer): Promise<FoundCache | undefined> {
    const file = newArchiveFile(this.options.temporaryDir)
    const borrowedEntry = await this.borrow(address, file)
    const download = newArchiveFile(this.options.temporaryDir)
    try {
      const result = await this.remote.download(address, download, borrowedEntry?.tag, transfer)
      switch (result.kind) {
        case 'unchanged':
          return foundFile(file, true)
        case 'missing':
          if (borrowedEntry && borrowedEntry.tag === undefined) return foundFile(file, true)
          await rm(file, { force: true })
          return undefined
        case 'downloaded':
          await rm(file, { force: true })
          await this.copies.adopt(address, download, result)
          return await borrowed(this.copies, address, this.options.temporaryDir).then(downloaded)
      }
    } catch (error) {
      await rm(file, { force: true })
      await rm(download, { force: true })
      throw error
    }
  }

  /** Ignores an archive that was too large to upload, because the next one may be small enough. */
  async contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined> {
    return await this.remote.contentOf(address, transfer)
  }

  async save(
    address: CacheAddress,
    archive: CacheArchive,
    transfer: Transfer,
  ): Promise<'saved' | 'kept-here'> {
    const { content } = archive
    if (this.options.maximumUpload > 0 && archive.size > this.options.maximumUpload) {
      await this.copies.adopt(address, archive.file, { content, tag: undefined })
      return 'kept-here'
    }
    const tag = await this.remote.upload(address, archive, transfer)
    if (tag !== undefined) await this.copies.adopt(address, archive.file, { content, tag })
    return 'saved'
  }

  private async borrow(address: CacheAddress, file: string): Promise<LocalEntry | undefined> {
    const entry = await this.copies.entry(address)
    return entry && (await this.copies.borrow(address, entry, file)) ? entry : undefined
  }
}

function downloaded(found: FoundCache | undefined): FoundCache | undefined {
  return found && { ...found, isUpToDate: false }
}
