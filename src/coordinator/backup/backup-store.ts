import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import Sqlite from 'better-sqlite3'
import { execa } from 'execa'

import { isMissingFile, namesIn, readIfThere } from '../../lib/files.js'
import type { BlobStore, ListedBlob } from '../ci/storage/blob-store.js'
import { BlobMissingError } from '../ci/storage/errors.js'
import { BackupError } from './errors.js'
import { type BackedUpFile, type Manifest, manifestLines, readManifest } from './manifest.js'

/** Marks a folder of backups; the text is the version of its layout. */
const MARKER = 'switchyard-backups'
const LAYOUT = '1\n'
const INDEX = 'index.db'
const MANIFEST = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Files up to this size are read at once. */
const SMALL = 256 * 1024

/** Where the bytes of a file of a backup come from. */
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
 * A folder with backups:
 *
 *     switchyard-backups     marks the folder
 *     backups/<time>         one list of files for each backup (`Manifest`); a backup exists once its list does
 *     objects/<2>/<digest>   contents of files by SHA-256, shared by all backups and never changed
 *     index.db               which file had which digest, by size and time of change; may be deleted
 *     work/                  files that are being written
 *
 * One process uses the folder at a time: SQLite holds a lock on the index, which ends with the process.
 */
export class BackupFolder {
  /** Objects that were added. */
  readonly copied: Copied = { files: 0, bytes: 0 }
  private readonly find: Sqlite.Statement<[string], Known>
  private readonly remember: Sqlite.Statement<[string, number, string, string, string]>
  private readonly forget: Sqlite.Statement<[string]>

  private constructor(
    readonly path: string,
    private readonly index: Sqlite.Database,
  ) {
    this.find = index.prepare('select size, mtime, inode, sha256 from file where path = ?')
    this.remember = index.prepare(
      'insert or replace into file (path, size, mtime, inode, sha256) values (?, ?, ?, ?, ?)',
    )
    this.forget = index.prepare('delete from file where sha256 = ?')
  }

  /** Creates the folder, if it does not exist or is empty. */
  static async create(folder: string): Promise<BackupFolder> {
    const path = resolve(folder)
    await mkdir(path, { recursive: true, mode: 0o700 })
    const names = await readdir(path)
    if (names.length > 0 && !names.includes(MARKER)) {
      throw new BackupError(`${path} has other files. Name an empty folder, or one with backups.`)
    }
    if (names.length === 0) await writeFile(join(path, MARKER), LAYOUT, { mode: 0o600 })
    return this.open(path)
  }

  /** Opens a folder that has backups. */
  static async open(folder: string): Promise<BackupFolder> {
    const path = resolve(folder)
    await checkLayout(path)
    const index = openIndex(join(path, INDEX))
    try {
      for (const name of ['objects', 'backups', 'work'])
        await mkdir(join(path, name), { mode: 0o700, recursive: true })
      // What a killed process was writing.
      for (const name of await readdir(join(path, 'work')))
        await rm(join(path, 'work', name), { recursive: true, force: true })
      return new BackupFolder(path, index)
    } catch (error) {
      index.close()
      throw error
    }
  }

  close(): void {
    if (this.index.inTransaction) this.index.exec('commit')
    this.index.close()
  }

  /** A new path for a file or folder that is deleted when the folder is opened again. */
  workPath(): string {
    return join(this.path, 'work', randomUUID())
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
    if (isSame && (await this.has(known.sha256))) return { path, size, sha256: known.sha256 }
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
    const sha256 = await digestOf(draft)
    if (sha256 === undefined) throw new BackupError(`${draft} was deleted. Run the command again.`)
    return this.keep(draft, { size, sha256 })
  }

  object(sha256: string): string {
    return objectPath(this.path, sha256)
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
    // One sync of the file system costs less than one for each file.
    await execa('sync', ['--file-system', this.path])
    const name = new Date(manifest.takenAt).toISOString().replaceAll(':', '-')
    await rename(draft, join(this.path, 'backups', name))
    await execa('sync', ['--file-system', this.path])
    return name
  }

  /** Removes all backups but the newest, and the objects that only they, or runs that were killed, needed. */
  async prune(keep: number): Promise<{ backups: string[]; objects: number }> {
    const removed = (await backupNames(this.path)).slice(0, -keep)
    for (const name of removed) await rm(join(this.path, 'backups', name))
    const used = new Set<string>()
    for (const name of await backupNames(this.path)) {
      const { database, files } = await readManifest(join(this.path, 'backups', name))
      used.add(database.sha256)
      for (const { sha256 } of files) used.add(sha256)
    }
    let objects = 0
    const root = join(this.path, 'objects')
    for (const shard of await namesIn(root)) {
      for (const sha256 of await namesIn(join(root, shard))) {
        if (used.has(sha256)) continue
        await rm(join(root, shard, sha256), { force: true })
        this.forget.run(sha256)
        objects++
      }
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

  private async has(sha256: string): Promise<boolean> {
    try {
      await access(this.object(sha256))
      return true
    } catch (error) {
      if (isMissingFile(error)) return false
      throw error
    }
  }

  private async store(content: Content, size: number): Promise<StoredObject> {
    const hash = createHash('sha256')
    if (size <= SMALL) {
      const chunks: Buffer[] = []
      for await (const chunk of content) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const sha256 = hash.update(bytes).digest('hex')
      if (await this.has(sha256)) return { size: bytes.length, sha256 }
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
    if (await this.has(object.sha256)) {
      await rm(draft)
      return object
    }
    await mkdir(join(this.path, 'objects', object.sha256.slice(0, 2)), { recursive: true, mode: 0o700 })
    await rename(draft, this.object(object.sha256))
    this.copied.files++
    this.copied.bytes += object.size
    return object
  }
}

const ROWS_PER_COMMIT = 5000

export function objectPath(folder: string, sha256: string): string {
  return join(folder, 'objects', sha256.slice(0, 2), sha256)
}

/** Names of the backups in a folder, the oldest first. */
export async function backupNames(folder: string): Promise<string[]> {
  return (await namesIn(join(folder, 'backups'))).filter((name) => MANIFEST.test(name)).toSorted()
}

/** A backup of a folder, by default the newest. */
export async function readBackup(
  folder: string,
  name?: string,
): Promise<{ name: string; manifest: Manifest }> {
  const path = resolve(folder)
  await checkLayout(path)
  const names = await backupNames(path)
  const chosen = name ?? names.at(-1)
  if (chosen === undefined) throw new BackupError(`${path} has no finished backup.`)
  if (!names.includes(chosen)) {
    throw new BackupError(`${path} has no backup ${chosen}. It has ${names.join(', ') || 'none'}.`)
  }
  return { name: chosen, manifest: await readManifest(join(path, 'backups', chosen)) }
}

/** The digest of a file. Undefined if it does not exist. */
export async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
  return hash.digest('hex')
}

async function checkLayout(path: string): Promise<void> {
  const layout = await readIfThere(join(path, MARKER))
  if (layout === undefined) throw new BackupError(`${path} is not a folder with backups of Switchyard.`)
  if (layout !== LAYOUT) {
    throw new BackupError(`${path} was made by a newer version of Switchyard. Install that version.`)
  }
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
