import type { Readable } from 'node:stream'

export interface StoredBlob {
  /** Bytes. */
  size: number
  /** Hex. */
  sha256: string
}

/** Offsets of the first and last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where finished files lie: artifacts today, uploads and caches later (architecture, decision 3). A key is a path of
 * segments joined by `/`; a blob is written once and never changed. Everything is streamed.
 */
export interface BlobStore {
  /**
   * Stores `body` under `key`. Nobody sees the blob before it is complete; when `body` fails, or is longer than
   * `maxBytes` (`BlobTooLargeError`), nothing is kept.
   */
  write(key: string, body: Readable, maxBytes?: number): Promise<StoredBlob>
  /**
   * Stores a finished file of this machine, whose bytes are safe on the disk and do not change any more, under `key`. The
   * file stays, and may be removed.
   */
  takeIn(key: string, file: string): Promise<void>
  /** The bytes, or the part `range` of them. Throws `BlobMissingError`. */
  read(key: string, range?: ByteRange): Promise<Readable>
  exists(key: string): Promise<boolean>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** Deletes every blob whose key begins with `folder` and a `/`. */
  deleteBelow(folder: string): Promise<void>
  /** Removes what is left of writes that were cut off before `olderThan`. */
  removeAbandoned(olderThan: Date): Promise<void>
}
