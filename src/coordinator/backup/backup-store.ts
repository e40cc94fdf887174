import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import Sqlite from 'better-sqlite3'

import { isMissingFile } from '../../lib/files.js'
import type { BlobStore, ListedBlob } from '../ci/storage/blob-store.js'
import { BlobMissingError } from '../ci/storage/errors.js'
import type { BackupLocation } from './backup-location.js'
import { BackupError } from './errors.js'
import { type BackedUpFile, type Manifest, manifestLines, readManifest } from './manifest.js'

const INDEX = 'index.db'
const WORK = 'work'
const MANIFEST = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Files up to this size are read at once. */
const SMALL = 256 * 1024

/** The source of the bytes of a file of a backup. */
export interface Source {
  /** Path in the data folder, which the backup gives it. */
  path: string
  /** Absolute. */
  from: string
  /** Bytes from the start; by default all. */
  size?: number
}

interface Known {
  size: number
  mtime: string
  inode: string
  sha256: string
}

type Content = AsyncIterable<Buffer> | Iterable<Buffer>

type StoredObject = Omit<BackedUpFile, 'path'>

export interface Copied {
  files: number
  bytes: number
}

/**
 * The backups in a place, while this process adds to them or checks them. The local folder of the place has:
 *
 *     index.db   which file had which digest, by size and time of change; may be deleted
 *     work/      files that are being written
 *
 * One process uses them at a time: SQLite holds a lock on the index, which ends with the process.
 */
export class BackupStore {
  /** Objects that were added. */
  readonly copied: Copied = { files: 0, bytes: 0 }
  private readonly find: Sqlite.Statement<[string], Known>
  private readonly remember: Sqlite.Statement<[string, number, string, string, string]>
  private readonly forget: Sqlite.Statement<[string]>

  private constructor(
    readonly location: BackupLocation,
    private readonly index: Sqlite.Database,
  ) {
    this.find = index.prepare('select size, mtime, inode, sha256 from file where path = ?')
    this.remember = index.prepare(
      'insert or replace into file (path, size, mtime, inode, sha256) values (?, ?, ?, ?, ?)',
    )
    this.forget = index.prepare('delete from file where sha256 = ?')
  }

  /** For a backup. */
  static async create(location: BackupLocation): Promise<BackupStore> {
    await location.create()
    const store = await this.open(location)
    try {
      await location.begin(store.index)
      return store
    } catch (error) {
      store.close()
      throw error
    }
  }

  /** For a check. */
  static async open(location: BackupLocation): Promise<BackupStore> {
    await location.checkLayout()
    const work = join(location.localFolder, WORK)
    await mkdir(work, { recursive: true, mode: 0o700 })
    const index = openIndex(join(location.localFolder, INDEX))
    try {
      // Deletes the files that a killed process was writing.
      for (const name of await readdir(work)) await rm(join(work, name), { recursive: true, force: true })
      return new BackupStore(location, index)
    } catch (error) {
      index.close()
      throw error
    }
  }

  /** The place stays open. */
  close(): void {
    if (this.index.inTransaction) this.index.exec('commit')
    this.index.close()
  }

  /** A new path for a file or folder that is deleted when the folder is opened again. */
  workPath(): string {
    return join(this.location.localFolder, WORK, randomUUID())
  }

  /** Adds a file, unless the folder has its content already. Undefined if the file does not exist. */
  async add({ path, from, size: wanted }: Source): Promise<BackedUpFile | undefined> {
    try {
      await using file = await open(from)
      const stats = await file.stat({ bigint: true })
      const size = Math.min(Number(stats.size), wanted ?? Infinity)
      const mtime = String(stats.mtimeNs)
      const inode = String(stats.ino)
      return await this.addUnlessKnown({ path, size, mtime, inode }, () =>
        size === 0 ? [] : file.createReadStream({ start: 0, end: size - 1, autoClose: false }),
      )
    } catch (error) {
      if (isMissingFile(error)) return undefined
      throw error
    }
  }

  /** Adds a blob, unless the folder has its content already. Undefined if the blob was deleted. */
  async addBlob(path: string, blob: ListedBlob, blobs: BlobStore): Promise<BackedUpFile | undefined> {
    const { key, size, modifiedAt, tag } = blob
    const facts = { path, size, mtime: String(modifiedAt.getTime()), inode: tag }
    try {
      return await this.addUnlessKnown(facts, () => blobs.read(key))
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined
      throw error
    }
  }

  private async addUnlessKnown(
    { path, size, mtime, inode }: Omit<Known, 'sha256'> & { path: string },
    open: () => Content | Promise<Content>,
  ): Promise<BackedUpFile> {
    const known = this.find.get(path)
    const isSame = known?.size === size && known.mtime === mtime && known.inode === inode
    if (isSame && (await this.location.has(known.sha256))) return { path, size, sha256: known.sha256 }
    const added = await this.store(await open(), size)
    this.note([path, added.size, mtime, inode, added.sha256])
    return { path, size: added.size, sha256: added.sha256 }
  }

  async addText(path: string, text: string | Buffer): Promise<BackedUpFile> {
    const bytes = Buffer.from(text)
    const { size, sha256 } = await this.store([bytes], bytes.length)
    return { path, size, sha256 }
  }

  /** Adds a file of `workPath`, which is moved. */
  async adopt(draft: string): Promise<StoredObject> {
    const { size } = await stat(draft)
    const sha256 = await digestOf(createReadStream(draft))
    return this.keep(draft, { size, sha256 })
  }

  /** Makes the backup exist. Everything that it names is on disk before. */
  async finish(manifest: Manifest): Promise<string> {
    this.index.exec('commit')
    this.index.exec('begin')
    const draft = this.workPath()
    const file = await open(draft, 'wx', 0o600)
    try {
      let text = ''
      for (const line of manifestLines(manifest)) {
        text += line
        if (text.length < SMALL) continue
        await file.write(text)
        text = ''
      }
      await file.write(text)
    } finally {
      await file.close()
    }
    const name = new Date(manifest.takenAt).toISOString().replaceAll(':', '-')
    await this.location.confirm()
    await this.location.keepList(draft, name)
    return name
  }

  /** Removes all backups but the newest, and the objects that only they, or runs that were killed, needed. */
  async prune(keep: number): Promise<{ backups: string[]; objects: number }> {
    const { location } = this
    const names = await backupNames(location)
    const removed = names.slice(0, -keep)
    await location.confirm()
    for (const name of removed) await location.deleteList(name)
    const used = new Set<string>()
    for (const name of names.slice(-keep)) {
      const { database, files } = await readManifest(await location.readList(name), shownList(location, name))
      used.add(database.sha256)
      for (const { sha256 } of files) used.add(sha256)
    }
    await location.confirm()
    let objects = 0
    for await (const sha256 of location.objects()) {
      if (used.has(sha256)) continue
      await location.deleteObject(sha256)
      this.forget.run(sha256)
      objects++
    }
    return { backups: removed, objects }
  }

  private note(row: [string, number, string, string, string]): void {
    this.remember.run(...row)
    if (++this.noted % ROWS_PER_COMMIT !== 0) return
    this.index.exec('commit')
    this.index.exec('begin')
  }
  private noted = 0

  private async store(content: Content, size: number): Promise<StoredObject> {
    const hash = createHash('sha256')
    if (size <= SMALL) {
      const chunks: Buffer[] = []
      for await (const chunk of content) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const sha256 = hash.update(bytes).digest('hex')
      if (await this.location.has(sha256)) return { size: bytes.length, sha256 }
      const draft = this.workPath()
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' })
      return this.keep(draft, { size: bytes.length, sha256 })
    }
    const draft = this.workPath()
    const file = await open(draft, 'wx', 0o600)
    let written = 0
    try {
      for await (const chunk of content) {
        hash.update(chunk)
        await file.writeFile(chunk)
        written += chunk.length
      }
    } finally {
      await file.close()
    }
    return this.keep(draft, { size: written, sha256: hash.digest('hex') })
  }

  private async keep(draft: string, object: StoredObject): Promise<StoredObject> {
    if (await this.location.has(object.sha256)) {
      await rm(draft)
      return object
    }
    await this.location.keep(draft, object.sha256)
    this.copied.files++
    this.copied.bytes += object.size
    return object
  }
}

const ROWS_PER_COMMIT = 5000

/** Names of the backups in a place, the oldest first. */
export async function backupNames(location: BackupLocation): Promise<string[]> {
  return (await location.lists()).filter((name) => MANIFEST.test(name)).toSorted()
}

/** A backup, by default the newest. */
export async function readBackup(
  location: BackupLocation,
  name?: string,
): Promise<{ name: string; manifest: Manifest }> {
  await location.checkLayout()
  const names = await backupNames(location)
  const chosen = name ?? names.at(-1)
  if (chosen === undefined) throw new BackupError(`${location.shown} has no finished backup.`)
  if (!names.includes(chosen)) {
    throw new BackupError(`${location.shown} has no backup ${chosen}. It has ${names.join(', ') || 'none'}.`)
  }
  return {
    name: chosen,
    manifest: await readManifest(await location.readList(chosen), shownList(location, chosen)),
  }
}

function shownList({ shown }: BackupLocation, name: string): string {
  return `${shown}/backups/${name}`
}

/** The digest of a stream. */
export async function digestOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

function openIndex(file: string): Sqlite.Database {
  const index = new Sqlite(file, { timeout: 0 })
  try {
    // The lock is kept between transactions, until the connection is closed or the process ends.
    index.pragma('locking_mode = exclusive')
    index.exec('begin exclusive')
    index.exec(
      'create table if not exists file ' +
        '(path text primary key, size integer, mtime text, inode text, sha256 text) without rowid',
    )
    index.exec('create index if not exists file_sha256 on file (sha256)')
    return index
  } catch (error) {
    index.close()
    if (!(error instanceof Sqlite.SqliteError)) throw error
    throw error.code.startsWith('SQLITE_BUSY')
      ? new BackupError(`Another process uses ${file}. Wait until it has ended.`)
      : new BackupError(
          `${file} cannot be used: ${error.message}. Delete this file; the next backup makes it again.`,
          {
            cause: error,
          },
        )
  }
}
