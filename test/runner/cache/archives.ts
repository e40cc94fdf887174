import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type {
  CacheAddress,
  CacheArchive,
  CacheStore,
  Transfer,
} from '../../../src/runner/cache/cache-store.js'

export const ADDRESS: CacheAddress = { projectId: 7, isProtected: false, key: 'default' }

export const TRANSFER: Transfer = { signal: new AbortController().signal, timeout: 60_000, retryDelay: 1 }

/** A file that a store may move away; any bytes will do. */
export async function archiveIn(
  folder: string,
  bytes: Buffer | string,
  content = 'digest',
): Promise<CacheArchive> {
  const file = join(folder, `archive-${randomBytes(6).toString('hex')}.zip`)
  await writeFile(file, bytes)
  return { file, size: Buffer.byteLength(bytes), content }
}

/** What the store has under the address, read and released. */
export async function restored(
  store: CacheStore,
  address: CacheAddress = ADDRESS,
): Promise<{ bytes: Buffer; isUpToDate: boolean } | undefined> {
  const found = await store.find(address, TRANSFER)
  if (!found) return undefined
  const bytes = await readFile(found.file)
  await found.release()
  return { bytes, isUpToDate: found.isUpToDate }
}

export async function readText(store: CacheStore, address?: CacheAddress): Promise<string | undefined> {
  return (await restored(store, address))?.bytes.toString()
}

/** Names of all files below the folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
