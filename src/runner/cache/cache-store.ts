/**
 * What names one cache. Whether the ref is protected comes from the coordinator and is a part of its own: no key, whatever
 * its text, leads from one side to the other (architecture, decision 11).
 */
export interface CacheAddress {
  projectId: number
  isProtected: boolean
  /** Variables expanded, sanitised (see `cacheKey`). */
  key: string
}

/** An archive that is ready to be kept. */
export interface CacheArchive {
  /** A file of the host on its own; the store may move it away. */
  file: string
  /** Bytes. */
  size: number
  /** Digest of the files in it, without their times: equal content need not be kept twice. */
  content: string
}

export interface FoundCache {
  /** A zip that stays as it is until `release`, whatever is saved meanwhile. */
  file: string
  /** Not transferred: the copy of this machine is what the store has. */
  isUpToDate: boolean
  release(): Promise<void>
}

/** How long, and until when, bytes are moved. */
export interface Transfer {
  signal: AbortSignal
  /** Milliseconds that one request may take (`CACHE_REQUEST_TIMEOUT`). */
  timeout: number
  /** Milliseconds before a failed request is repeated. */
  retryDelay: number
}

/**
 * Where caches are kept. A save is seen as a whole or not at all, and may be cut off at any moment; the last of two
 * wins. Any error means that this cache is of no use now, never that the job has failed.
 */
export interface CacheStore {
  /** For people: `local folder`, `S3 bucket caches`. */
  readonly name: string
  /** Whether other machines see what is saved. */
  readonly isShared: boolean
  /** Undefined when there is none. */
  find(address: CacheAddress, transfer: Transfer): Promise<FoundCache | undefined>
  /** The `content` that the cache was saved with; undefined when there is none, or when that is not known. */
  contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined>
  save(address: CacheAddress, archive: CacheArchive, transfer: Transfer): Promise<'saved' | 'kept-here'>
}

/** A store at the other end of a network. */
export interface RemoteStore {
  readonly name: string
  /** Into the new `file`, unless the cache is still the one that `knownTag` names. */
  download(
    address: CacheAddress,
    file: string,
    knownTag: string | undefined,
    transfer: Transfer,
  ): Promise<Download>
  contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined>
  /** Answers the tag of what is there now, if the store tells. Does not touch the file. */
  upload(address: CacheAddress, archive: CacheArchive, transfer: Transfer): Promise<string | undefined>
}

export type Download =
  | { kind: 'missing' }
  | { kind: 'unchanged' }
  | { kind: 'downloaded'; tag: string | undefined; content: string | undefined }
