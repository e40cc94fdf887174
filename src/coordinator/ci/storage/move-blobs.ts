import { createHash } from 'node:crypto'

import Sqlite from 'better-sqlite3'

import { mapInOrder } from '../../../lib/map-in-order.js'
import type { BlobStore, ListedBlob } from './blob-store.js'
import { BlobMissingError, DamagedBlobError } from './errors.js'

/** Blobs that are copied at a time. */
const AT_ONCE = 4

export interface BlobMove {
  from: BlobStore
  to: BlobStore
  /** Name of `to` in the journal. */
  target: string
  /** Path of the journal: which blobs were copied and compared. Without it, they are copied again. */
  journal: string
  /** Whether to delete each blob in `from` once its copy was compared. */
  isDeleting: boolean
  onProgress?: (moved: Moved) => void
}

export interface Moved {
  copied: number
  /** Bytes. */
  bytes: number
  /** Blobs that an earlier run has copied. */
  known: number
}

/**
 * Copies all blobs while coordinators use them, and compares the SHA-256 of each copy, read back, with that of its
 * original. May be interrupted at any moment and run again. A blob that is deleted while it is copied is not brought
 * back. Throws at the first blob that cannot be copied.
 */
export async function moveBlobs(move: BlobMove): Promise<Moved> {
  const { from, onProgress } = move
  const journal = new Journal(move.journal, move.target)
  const moved: Moved = { copied: 0, bytes: 0, known: 0 }
  try {
    for await (const result of mapInOrder(from.list(), AT_ONCE, (blob) => moveBlob(move, journal, blob))) {
      if (result === 'known') moved.known++
      else if (result) {
        moved.copied++
        moved.bytes += result.size
      }
      onProgress?.(moved)
    }
    return moved
  } finally {
    journal.close()
  }
}

async function moveBlob(
  { from, to, isDeleting }: BlobMove,
  journal: Journal,
  blob: ListedBlob,
): Promise<ListedBlob | 'known' | undefined> {
  const { key } = blob
  const isKnown = journal.has(blob, await to.find(key))
  if (!isKnown && !(await copyBlob(from, to, key))) return undefined
  if (!isKnown) journal.add(blob, await to.find(key))
  // A coordinator deletes a blob first in `from`. If it is still there, the copy will be deleted after it.
  if (!(await from.exists(key))) {
    await to.delete(key)
    return undefined
  }
  if (isDeleting) await from.delete(key)
  return isKnown ? 'known' : blob
}

/** False if the blob was deleted in the meantime. */
async function copyBlob(from: BlobStore, to: BlobStore, key: string): Promise<boolean> {
  try {
    const original = await to.write(key, await from.read(key))
    const copy = await digestOf(to, key)
    if (copy === original.sha256) return true
    await to.delete(key)
    throw new DamagedBlobError(key)
  } catch (error) {
    if (error instanceof BlobMissingError && !(await from.exists(key))) {
      await to.delete(key)
      return false
    }
    throw error
  }
}

async function digestOf(blobs: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await blobs.read(key)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Which blobs were copied and compared; kept in a file, so that the next run continues. */
class Journal {
  private readonly database: Sqlite.Database
  private readonly find: Sqlite.Statement<[string, string], { original: string; copy: string }>
  private readonly insert: Sqlite.Statement<[string, string, string, string]>

  constructor(
    file: string,
    private readonly target: string,
  ) {
    this.database = new Sqlite(file)
    this.database.pragma('journal_mode = wal')
    this.database.exec(
      'create table if not exists moved (target text, key text, original text, copy text, primary key (target, key))',
    )
    this.find = this.database.prepare('select original, copy from moved where target = ? and key = ?')
    this.insert = this.database.prepare('insert or replace into moved values (?, ?, ?, ?)')
  }

  /** Whether this blob was copied, and the copy is still the same. */
  has(original: ListedBlob, copy: ListedBlob | undefined): boolean {
    const known = this.find.get(this.target, original.key)
    return copy !== undefined && known?.original === factsOf(original) && known.copy === factsOf(copy)
  }

  add(original: ListedBlob, copy: ListedBlob | undefined): void {
    if (copy) this.insert.run(this.target, original.key, factsOf(original), factsOf(copy))
  }

  close(): void {
    this.database.close()
  }
}

function factsOf({ size, tag }: ListedBlob): string {
  return `${size} ${tag}`
}
