import { rm } from 'node:fs/promises'

import {
  type CacheAddress,
  type CacheArchive,
  type CacheStore,
  type FoundCache,
  newArchiveFile,
} from './cache-store.js'
import type { LocalFolder } from './local-folder.js'

/** Caches that exist on this machine only. */
export class LocalStore implements CacheStore {
  readonly name = 'local folder'
  readonly isShared = false

  constructor(
    private readonly folder: LocalFolder,
    private readonly temporaryDir: string,
  ) {}

  async find(address: CacheAddress): Promise<FoundCache | undefined> {
    return await borrowed(this.folder, address, this.temporaryDir)
  }

  async contentOf(address: CacheAddress): Promise<string | undefined> {
    return (await this.folder.entry(address))?.content
  }

  async save(address: CacheAddress, archive: CacheArchive): Promise<'saved'> {
    await this.folder.adopt(address, archive.file, { content: archive.content, tag: undefined })
    return 'saved'
  }
}

/** Links the archive under the address into `temporaryDir`. */
export async function borrowed(
  folder: LocalFolder,
  address: CacheAddress,
  temporaryDir: string,
): Promise<FoundCache | undefined> {
  const file = newArchiveFile(temporaryDir)
  // Tries twice, because the archive may be replaced after the entry is read.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const entry = await folder.entry(address)
    if (entry && (await folder.borrow(address, entry, file))) return foundFile(file, true)
  }
  return undefined
}

export function foundFile(file: string, isUpToDate: boolean): FoundCache {
  return { file, isUpToDate, release: () => rm(file, { force: true }) }
}
