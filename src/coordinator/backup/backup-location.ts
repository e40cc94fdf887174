import type { Readable } from 'node:stream'

import type Sqlite from 'better-sqlite3'

/** Marks a place of backups; the text is the version of its layout. */
export const MARKER = 'switchyard-backups'
export const LAYOUT = '1\n'

/**
 * Where backups are: a folder, or a bucket under a prefix. Both have this layout:
 *
 *     switchyard-backups     marks the place
 *     backups/<time>         one list of files for each backup (`Manifest`); a backup exists once its list does
 *     objects/<2>/<digest>   contents of files by SHA-256, shared by all backups and never changed
 */
export interface BackupLocation {
  /** For people. */
  readonly shown: string
  /** A local folder for the index and files that are being written. */
  readonly localFolder: string
  /** Makes it a place of backups. Throws `BackupError` if something else is there. */
  create(): Promise<void>
  /** Throws `BackupError` if it is not a place of backups of this version. */
  checkLayout(): Promise<void>
  /** Call it before the first change; the index is locked. Throws `BackupError` if another machine changes the place. */
  begin(index: Sqlite.Database): Promise<void>
  /** Throws `BackupError` if another machine has begun to change the place since `begin`. */
  confirm(): Promise<void>
  has(sha256: string): Promise<boolean>
  /** Moves a file of the local folder here. */
  keep(draft: string, sha256: string): Promise<void>
  /** The content of an object. Undefined if it does not exist. */
  read(sha256: string): Promise<Readable | undefined>
  /**
   * Writes an object to a new local file, which must not be changed. Returns the digest of what was written; undefined if
   * the object does not exist.
   */
  fetch(sha256: string, to: string): Promise<string | undefined>
  /** Digests of all objects. */
  objects(): AsyncIterable<string>
  deleteObject(sha256: string): Promise<void>
  /** The location of an object, for messages. */
  shownObject(sha256: string): string
  /** Names of the files in `backups/`. */
  lists(): Promise<string[]>
  readList(name: string): Promise<Readable | undefined>
  /** Moves a file of the local folder here. Everything that was kept before is stored permanently by then. */
  keepList(draft: string, name: string): Promise<void>
  deleteList(name: string): Promise<void>
  close(): Promise<void>
}

/** Path of an object in a place. */
export function objectPath(sha256: string): string {
  return `objects/${sha256.slice(0, 2)}/${sha256}`
}
