import { isoTime } from '../../http/presenters/present-time.js'
import type { CachedArchive } from '../storage/caches/caches.js'
import type { ProjectCache } from './schema.js'

export function presentCache(cache: CachedArchive): ProjectCache {
  const { id, key, size, created_at, used_at } = cache
  return {
    id,
    key,
    protected: cache.protected,
    size,
    created_at: isoTime(created_at),
    used_at: isoTime(used_at),
  }
}
