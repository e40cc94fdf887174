import type { CacheAddress } from '../cache-store.js'

export interface ObjectNaming {
  /** `[runners.cache] Path`. */
  prefix: string
  /** Short token of the runner. Undefined if all runners share the content of the bucket. */
  runner: string | undefined
  /** With `FF_HASH_CACHE_KEYS`, names get an additional folder of two characters. */
  isHashed: boolean
}

/**
 * The name of the object. For jobs of unprotected refs it equals the name in the reference runner (runner protocol,
 * 8), so that both can share a bucket. Jobs of protected refs use `project/<id>-protected/`, which no key of
 * another job can reach. The reference runner distinguishes the two by the end of the key. A cache that it wrote
 * for an unprotected ref must not be unpacked for a protected one because of the text of its key.
 */
export function objectName({ projectId, isProtected, key }: CacheAddress, naming: ObjectNaming): string {
  return [
    ...naming.prefix.split('/'),
    ...(naming.runner === undefined ? [] : ['runner', naming.runner]),
    'project',
    `${projectId}${isProtected ? '-protected' : ''}`,
    ...(naming.isHashed ? [key.slice(0, 2)] : []),
    key,
  ]
    .filter((component) => component !== '')
    .join('/')
}
