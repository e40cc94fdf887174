import type { Readable } from 'node:stream'

export interface StoredBlob {
  /** Bytes. */
  size: number
  /** Hex. */
  sha256: string
}

/** What a row says of a blob. */
export interface ExpectedBlob {
  /** Bytes. */
  size: number
  /** Hex. Undefined if the row does not have it. */
  sha256?: string | undefined
}

export interface ListedBlob {
  key: string
  /** Bytes. */
  size: number
  /** When it was written under this key, at the earliest. */
  modifiedAt: Date
  /** Another blob under the same key has another tag. */
  tag: string
}

/** How long the address of a download may be used, in seconds. */
export const DOWNLOAD_SECONDS = 600

/** Headers of a response that the store sends itself. */
export interface DownloadHeaders {
  contentType: string
  contentDisposition: string
}

/** Offsets of the first and last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Stores finished files such as artifacts and caches (architecture, decision 3). A key is a path of segments
 * joined by `/`. A blob is written once and never changed. All data is streamed.
 */
export interface BlobStore {
  /**
   * Stores `body` under `key`. The blob is visible only once it is complete. Stores nothing if `body` fails
   * or exceeds `maxBytes` (`BlobTooLargeError`).
   */
  write(key: string, body: Readable, maxBytes?: number): Promise<StoredBlob>
  /**
   * Stores a finished local file under `key`. The file must be flushed to disk and no longer change. It is
   * not deleted; the caller may delete it afterwards.
   */
  storeFile(key: string, file: string): Promise<void>
  /** Stores the blob `from` under `to` too; both may be deleted separately. Throws `BlobMissingError`. */
  copy(from: string, to: string): Promise<void>
  /**
   * The bytes, or the part `range` of them. Throws `BlobMissingError`. Compares nothing: for callers that check the bytes
   * themselves, such as the checksum of a compressed file.
   */
  read(key: string, range?: ByteRange): Promise<Readable>
  /**
   * All bytes of a blob. If they are not the expected ones, this throws `DifferentBlobError`, or the stream fails with it
   * before its last bytes. Throws `BlobMissingError`.
   */
  readWhole(key: string, expected: ExpectedBlob): Promise<Readable>
  /**
   * A part of a blob. Throws `DifferentBlobError` if the blob does not have the expected size, and `BlobMissingError`.
   * @param range within the expected size
   */
  readPart(key: string, range: ByteRange, expected: ExpectedBlob): Promise<Readable>
  exists(key: string): Promise<boolean>
  find(key: string): Promise<ListedBlob | undefined>
  /** All blobs, or those whose key starts with `folder` and a `/`, in no particular order. */
  list(folder?: string): AsyncIterable<ListedBlob>
  /** Deleting a missing blob is not an error. */
  delete(key: string): Promise<void>
  /** Deletes every blob whose key starts with `folder` and a `/`. */
  deleteBelow(folder: string): Promise<void>
  /** Deletes the remains of writes that were interrupted before `olderThan`. */
  deleteAbandoned(olderThan: Date): Promise<void>
  /**
   * Records `owner` as the one who deletes what no row names, if nobody is recorded, or if `isForced`. Returns whether
   * it is the recorded one.
   */
  claim(owner: string, isForced?: boolean): Promise<boolean>
  /** IDs of the installations whose blobs are here, as `mark` has recorded them. Empty for a folder, which has a file. */
  marks(): Promise<string[]>
  /** Records the installation whose blobs are here, or with `undefined` that any may store blobs here. */
  mark(installation: string | undefined): Promise<void>
  /**
   * An address at which anyone can download the blob for some seconds. Undefined if the settings do not say that the
   * store sends blobs itself. It does not check that the blob exists.
   */
  downloadUrl(key: string, seconds: number, headers: DownloadHeaders): Promise<string | undefined>
  close(): Promise<void>
}
