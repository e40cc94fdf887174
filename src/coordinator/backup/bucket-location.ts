import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import type Sqlite from 'better-sqlite3'

import { messageOf } from '../../lib/errors.js'
import { MINUTE } from '../../lib/time-units.js'
import type { BlobStore } from '../ci/storage/blob-store.js'
import { BlobMissingError } from '../ci/storage/errors.js'
import { Measure } from '../ci/storage/measure.js'
import { type BackupLocation, LAYOUT, MARKER, objectPath } from './backup-location.js'
import { BackupError } from './errors.js'
import { checkLayout } from './folder-location.js'

const LOCK = 'lock'
/** Milliseconds between two renewals of the lock. */
const RENEWAL = MINUTE
/** A lock that was not renewed for so long, in milliseconds, is that of a killed process. Clocks may differ. */
const ABANDONED = 30 * MINUTE

interface BucketPlaceOptions {
  /** For people. */
  shown: string
  localFolder: string
  /** Whether `close` deletes the local folder. */
  isTemporary: boolean
}

/** Which objects the bucket has, in the index. */
interface KnownObjects {
  has: Sqlite.Statement<[string]>
  add: Sqlite.Statement<[string]>
  remove: Sqlite.Statement<[string]>
}

/**
 * A bucket with backups. One process changes it at a time: the object `lock` names the index of the machine that does,
 * and is renewed every minute. A process with the same index may take it over at once, because the index is locked too; another
 * one after half an hour.
 */
export class BucketLocation implements BackupLocation {
  private lock: { content: string; timer: NodeJS.Timeout } | undefined
  private renewalError: unknown
  private known: KnownObjects | undefined

  constructor(
    private readonly blobs: BlobStore,
    private readonly options: BucketPlaceOptions,
  ) {}

  get shown(): string {
    return this.options.shown
  }

  get localFolder(): string {
    return this.options.localFolder
  }

  /** The prefix must have nothing, or backups. */
  async create(): Promise<void> {
    const layout = await this.readText(MARKER)
    if (layout !== undefined) return
    for await (const { key } of this.blobs.list()) {
      // A check of the bucket that was killed leaves its object.
      if (key.startsWith('storage-check/')) continue
      throw new BackupError(
        `${this.shown} has other objects. Name another prefix, such as ${this.shown}/backups.`,
      )
    }
    await this.put(MARKER, LAYOUT)
  }

  async checkLayout(): Promise<void> {
    checkLayout(await this.readText(MARKER), this.shown)
  }

  async begin(index: Sqlite.Database): Promise<void> {
    index.exec('create table if not exists machine (id text)')
    index.exec('create table if not exists object (sha256 text primary key) without rowid')
    let id = index.prepare<[], { id: string }>('select id from machine').get()?.id
    if (id === undefined) index.prepare('insert into machine values (?)').run((id = randomUUID()))
    // It must outlive a kill; the lock of the index is kept.
    index.exec('commit')
    index.exec('begin')
    await this.acquire(id)
    // The bucket is listed once, because a request for each object would take longer.
    index.exec('delete from object')
    this.known = {
      has: index.prepare('select 1 from object where sha256 = ?'),
      add: index.prepare('insert or ignore into object values (?)'),
      remove: index.prepare('delete from object where sha256 = ?'),
    }
    for await (const sha256 of this.objects()) this.known.add.run(sha256)
  }

  async confirm(): Promise<void> {
    const { lock } = this
    if (!lock) return
    const now = await this.readText(LOCK)
    if (now !== lock.content) throw this.inUse(now ?? 'another process')
    if (this.renewalError !== undefined) {
      throw new BackupError(
        `The lock of ${this.shown} could not be renewed: ${messageOf(this.renewalError)}. Run the command again.`,
        { cause: this.renewalError },
      )
    }
  }

  async has(sha256: string): Promise<boolean> {
    return this.known ? this.known.has.get(sha256) !== undefined : this.blobs.exists(objectPath(sha256))
  }

  async keep(draft: string, sha256: string): Promise<void> {
    await this.blobs.storeFile(objectPath(sha256), draft)
    this.known?.add.run(sha256)
    await rm(draft)
  }

  read(sha256: string): Promise<Readable | undefined> {
    return this.readKey(objectPath(sha256))
  }

  async fetch(sha256: string, to: string): Promise<string | undefined> {
    const body = await this.read(sha256)
    if (!body) return undefined
    const measure = new Measure(Infinity)
    await pipeline(body, measure, createWriteStream(to, { mode: 0o600, flags: 'wx' }))
    return measure.result().sha256
  }

  async *objects(): AsyncGenerator<string> {
    for await (const { key } of this.blobs.list('objects')) yield key.slice(key.lastIndexOf('/') + 1)
  }

  async deleteObject(sha256: string): Promise<void> {
    await this.blobs.delete(objectPath(sha256))
    this.known?.remove.run(sha256)
  }

  shownObject(sha256: string): string {
    return `${this.shown}/${objectPath(sha256)}`
  }

  async lists(): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of this.blobs.list('backups')) names.push(key.slice('backups/'.length))
    return names
  }

  readList(name: string): Promise<Readable | undefined> {
    return this.readKey(`backups/${name}`)
  }

  async keepList(draft: string, name: string): Promise<void> {
    await this.blobs.storeFile(`backups/${name}`, draft)
    await rm(draft)
  }

  deleteList(name: string): Promise<void> {
    return this.blobs.delete(`backups/${name}`)
  }

  async close(): Promise<void> {
    try {
      await this.release()
    } finally {
      await this.blobs.close()
      if (this.options.isTemporary) await rm(this.localFolder, { recursive: true, force: true })
    }
  }

  private async acquire(machine: string): Promise<void> {
    const held = await this.readText(LOCK)
    const found = held === undefined ? undefined : await this.blobs.find(LOCK)
    const isOwn = held?.startsWith(`${machine} `) === true
    if (found && !isOwn && Date.now() - found.modifiedAt.getTime() < ABANDONED) throw this.inUse(held ?? '')
    const content = `${machine} ${randomUUID()} ${hostname()} ${process.pid}`
    await this.put(LOCK, content)
    this.lock = { content, timer: setInterval(() => void this.renew(content), RENEWAL) }
    this.lock.timer.unref()
    await this.confirm()
  }

  private async renew(content: string): Promise<void> {
    try {
      if ((await this.readText(LOCK)) === content) await this.put(LOCK, content)
      this.renewalError = undefined
    } catch (error) {
      this.renewalError = error
    }
  }

  private async release(): Promise<void> {
    const { lock } = this
    if (!lock) return
    clearInterval(lock.timer)
    this.lock = undefined
    if ((await this.readText(LOCK)) === lock.content) await this.blobs.delete(LOCK)
  }

  /** @param holder the content of the lock */
  private inUse(holder: string): BackupError {
    const [, , host = 'unknown', pid = 'unknown'] = holder.split(' ')
    return new BackupError(
      `Another process uses ${this.shown} (host ${host}, process ${pid}). Wait until it has ended; if it was killed, for ` +
        'half an hour.',
    )
  }

  private async put(key: string, content: string): Promise<void> {
    await this.blobs.write(key, Readable.from([Buffer.from(content)]))
  }

  private async readText(key: string): Promise<string | undefined> {
    const body = await this.readKey(key)
    return body && text(body)
  }

  private async readKey(key: string): Promise<Readable | undefined> {
    try {
      return await this.blobs.read(key)
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined
      throw error
    }
  }
}
