import { createReadStream } from 'node:fs'
import { access, copyFile, link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

import { execa } from 'execa'

import { isMissingFile, namesIn, readIfThere } from '../../lib/files.js'
import { type BackupLocation, LAYOUT, MARKER, objectPath } from './backup-location.js'
import { digestOf } from './backup-store.js'
import { BackupError } from './errors.js'

/** A folder with backups. It has the index and the files that are being written too. */
export class FolderLocation implements BackupLocation {
  readonly shown: string

  constructor(folder: string) {
    this.shown = resolve(folder)
  }

  get localFolder(): string {
    return this.shown
  }

  /** Creates the folder, if it does not exist or is empty. */
  async create(): Promise<void> {
    await mkdir(this.shown, { recursive: true, mode: 0o700 })
    const names = await readdir(this.shown)
    if (names.length > 0 && !names.includes(MARKER)) {
      throw new BackupError(`${this.shown} has other files. Name an empty folder, or one with backups.`)
    }
    if (names.length === 0) await writeFile(join(this.shown, MARKER), LAYOUT, { mode: 0o600 })
  }

  async checkLayout(): Promise<void> {
    checkLayout(await readIfThere(join(this.shown, MARKER)), this.shown)
  }

  /** The index in the folder is locked already. */
  async begin(): Promise<void> {
    for (const name of ['objects', 'backups'])
      await mkdir(join(this.shown, name), { mode: 0o700, recursive: true })
  }

  async confirm(): Promise<void> {}

  async has(sha256: string): Promise<boolean> {
    try {
      await access(this.shownObject(sha256))
      return true
    } catch (error) {
      if (isMissingFile(error)) return false
      throw error
    }
  }

  async keep(draft: string, sha256: string): Promise<void> {
    const path = this.shownObject(sha256)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(draft, path)
  }

  read(sha256: string): Promise<Readable | undefined> {
    return openIfThere(this.shownObject(sha256))
  }

  async fetch(sha256: string, to: string): Promise<string | undefined> {
    const from = this.shownObject(sha256)
    try {
      await link(from, to)
    } catch (error) {
      if (isMissingFile(error)) return undefined
      if (!(error instanceof Error && 'code' in error)) throw error
      // Not every file system has links.
      await copyFile(from, to)
    }
    return digestOf(createReadStream(to))
  }

  async *objects(): AsyncGenerator<string> {
    const root = join(this.shown, 'objects')
    for (const shard of await namesIn(root)) yield* await namesIn(join(root, shard))
  }

  deleteObject(sha256: string): Promise<void> {
    return rm(this.shownObject(sha256), { force: true })
  }

  shownObject(sha256: string): string {
    return join(this.shown, objectPath(sha256))
  }

  lists(): Promise<string[]> {
    return namesIn(join(this.shown, 'backups'))
  }

  readList(name: string): Promise<Readable | undefined> {
    return openIfThere(this.listPath(name))
  }

  async keepList(draft: string, name: string): Promise<void> {
    // One sync of the file system costs less than one for each file.
    await execa('sync', ['--file-system', this.shown])
    await rename(draft, this.listPath(name))
    await execa('sync', ['--file-system', this.shown])
  }

  deleteList(name: string): Promise<void> {
    return rm(this.listPath(name))
  }

  async close(): Promise<void> {}

  private listPath(name: string): string {
    return join(this.shown, 'backups', name)
  }
}

/** @param layout the content of the marker; undefined = there is none */
export function checkLayout(layout: string | undefined, shown: string): void {
  if (layout === undefined) throw new BackupError(`${shown} is not a place with backups of Switchyard.`)
  if (layout !== LAYOUT) {
    throw new BackupError(`${shown} was made by a newer version of Switchyard. Install that version.`)
  }
}

async function openIfThere(path: string): Promise<Readable | undefined> {
  try {
    const file = await open(path)
    return file.createReadStream()
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}
