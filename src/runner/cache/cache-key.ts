import { createHash } from 'node:crypto'
import { posix } from 'node:path'

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
