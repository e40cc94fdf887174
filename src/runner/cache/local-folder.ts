import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { replaceFile } from '../../lib/files.js'
import { DAY } from '../../lib/time-units.js'
import { type CacheAddress, hashKey } from './cache-store.js'

/** Information about an archive in the folder. */
export interface LocalEntry {
  /** The key in plain text, for administrators who inspect the folder. */
  key: string
  content: string | undefined
  /**
   * Version of the remote cache that this archive is a copy of. Undefined for an archive that only this machine
   * has.
   */
  tag: string | undefined
  /** Name of the archive in the folder of the entry. */
  archive: string
}

const ENTRY_FILE = 'cache.json'
/** Age in milliseconds at which an archive without an entry counts as left behind by a killed process. */
const ORPHANED_AFTER = DAY

/**
 * Archives below `root`. Containers have no access to them:
 *
 *     <root>/<project>[-protected]/<SHA-256 of the key>/cache.json    information and the name of the archive
 *                                                       <random>.zip  the archive
 *
 * An archive is stored under a new name before `cache.json` is replaced. So readers find either the old cache or
 * the new one, even if the process is killed at any moment. The modification time of `cache.json` is the time of
 * last use.
 */
export class LocalFolder {
  constructor(private readonly root: string) {}

  /** Returns undefined if there is no entry, or if it cannot be read. */
  async entry(address: CacheAddress): Promise<LocalEntry | undefined> {
    try {
      return readEntry(await readFile(join(this.folderOf(address), ENTRY_FILE), 'utf8'))
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError) return undefined
      throw error
    }
  }

  /**
   * Links the archive as `file`, which stays when the entry is removed. Returns false if the archive no longer
   * exists.
   */
  async borrow(address: CacheAddress, entry: LocalEntry, file: string): Promise<boolean> {
    const folder = this.folderOf(address)
    try {
      await linkOrCopy(join(folder, entry.archive), file)
      const now = new Date()
      await utimes(join(folder, ENTRY_FILE), now, now)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** Moves `file` into the folder as the archive of the entry. Its bytes must be flushed to disk already. */
  async adopt(
    address: CacheAddress,
    file: string,
    known: Omit<LocalEntry, 'archive' | 'key'>,
  ): Promise<void> {
    const folder = this.folderOf(address)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const before = await this.entry(address)
    const archive = `${randomBytes(9).toString('hex')}.zip`
    await moveFile(file, join(folder, archive))
    const entry = JSON.stringify({ key: address.key, ...known, archive })
    await replaceFile(join(folder, ENTRY_FILE), entry, { flush: true })
    if (before) await rm(join(folder, before.archive), { force: true })
    await removeOrphans(folder, archive)
  }

  private folderOf({ projectId, isProtected, key }: CacheAddress): string {
    return join(this.root, `${projectId}${isProtected ? '-protected' : ''}`, hashKey(key))
  }
}

function readEntry(text: string): LocalEntry | undefined {
  const value = JSON.parse(text) as Partial<Record<keyof LocalEntry, unknown>>
  const { key, content, tag, archive } = value
  if (typeof archive !== 'string' || !/^[0-9a-f]+\.zip$/.test(archive)) return undefined
  return {
    key: textOrUndefined(key) ?? '',
    content: textOrUndefined(content),
    tag: textOrUndefined(tag),
    archive,
  }
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) throw error
    // Hard links do not work across file systems, and some file systems have none.
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from)
  }
}

/** Two concurrent saves do not know of each other's archive. A later save removes the one that lost. */
async function removeOrphans(folder: string, current: string): Promise<void> {
  const oldest = Date.now() - ORPHANED_AFTER
  for (const name of await readdir(folder)) {
    if (name === current || name === ENTRY_FILE) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < oldest) await rm(join(folder, name), { force: true })
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
