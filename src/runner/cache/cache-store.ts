import { createHash, randomBytes } from 'node:crypto'
import { join, posix } from 'node:path'

/**
 * The address of one cache. The coordinator decides whether the ref is protected. This is a field of its own, so
 * that no key can reach the caches of the other kind (architecture, decision 11).
 */
export interface CacheAddress {
  projectId: number
  isProtected: boolean
  /** The key with variables expanded, sanitized (see `sanitizeKey`). */
  key: string
}

/** An archive that is ready to be stored. */
export interface CacheArchive {
  /** A file on the host. The store may move it. */
  file: string
  /** Size in bytes. */
  size: number
  /** Digest of the archived files without their timestamps. Equal content need not be stored again. */
  content: string
}

export interface FoundCache {
  /** A zip file that does not change until `release`, even if the cache is saved again. */
  file: string
  /** Whether nothing was transferred, because the local copy equals the content of the store. */
  isUpToDate: boolean
  release(): Promise<void>
}

/** Limits for one transfer of bytes. */
export interface Transfer {
  signal: AbortSignal
  /** Limit for one request, in milliseconds (`CACHE_REQUEST_TIMEOUT`). */
  timeout: number
  /** Milliseconds before a failed request is repeated. */
  retryDelay: number
}

/**
 * A store for caches. A save is atomic and may be interrupted at any moment. The last of two concurrent saves wins.
 * An error means that the cache cannot be used now. It never fails the job.
 */
export interface CacheStore {
  /** Name for display: `local folder`, `S3 bucket caches`. */
  readonly name: string
  /** Whether saved caches are available to other machines. */
  readonly isShared: boolean
  /** Returns undefined if there is no cache. */
  find(address: CacheAddress, transfer: Transfer): Promise<FoundCache | undefined>
  /** The `content` that the cache was saved with. Undefined if there is no cache, or if its content is unknown. */
  contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined>
  save(address: CacheAddress, archive: CacheArchive, transfer: Transfer): Promise<'saved' | 'kept-here'>
}

/** A store that is reached over the network. */
export interface RemoteStore {
  readonly name: string
  /** Downloads the cache into the new file `file`, unless `knownTag` still identifies it. */
  download(
    address: CacheAddress,
    file: string,
    knownTag: string | undefined,
    transfer: Transfer,
  ): Promise<Download>
  contentOf(address: CacheAddress, transfer: Transfer): Promise<string | undefined>
  /** Returns the tag of the stored cache, if the store reports one. Does not change the file. */
  upload(address: CacheAddress, archive: CacheArchive, transfer: Transfer): Promise<string | undefined>
}

export type Download =
  | { kind: 'missing' }
  | { kind: 'unchanged' }
  | { kind: 'downloaded'; tag: string | undefined; content: string | undefined }

/**
 * Converts a key into a path that cannot leave its folder. Decodes encoded dots and slashes, stops `..` at the top, and
 * trims white space at the end of components (runner protocol, 8). Returns an empty text if nothing is left.
 */
export function sanitizeKey(key: string): string {
  const plain = key
    .replace(/%2f/gi, '/')
    .replace(/%2e/gi, '.')
    .replaceAll('\\', '/')
    .replaceAll('\0', '')
    .split('/')
    .map((component) => component.trimEnd())
    .join('/')
  return posix.resolve('/', plain).slice(1)
}

/** Replaces the key by a digest of fixed length, for `FF_HASH_CACHE_KEYS`. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** A path that does not exist yet. */
export function newArchiveFile(temporaryDir: string): string {
  return join(temporaryDir, `cache-${randomBytes(9).toString('hex')}.zip`)
}
