import { createHash } from 'node:crypto'
import { posix } from 'node:path'

/**
 * A key as a path that cannot climb: encoded dots and slashes are taken at their word, `..` ends at the top, white
 * space at the end of a component goes (runner protocol, 8). Empty when nothing is left.
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

/** `FF_HASH_CACHE_KEYS`: a name of fixed length in the place of the key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
