import { type Static, Type } from 'typebox'

import { described, flag, text } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'

/** A cache that jobs of a project share. */
export const ProjectCache = Type.Object({
  id: described(Type.Integer(), 'ID of the cache.'),
  key: text('Key of the cache, as the runner uses it.'),
  protected: flag('Whether jobs of protected refs share it, and no others.'),
  size: described(Type.Integer(), 'Size of the archive, in bytes.'),
  created_at: described(DateTime(), 'Time of the last save.'),
  used_at: described(DateTime(), 'Time of the last save or restore, within a minute.'),
})
export type ProjectCache = Static<typeof ProjectCache>

export const CacheId = Type.Object({ cache_id: described(Type.Integer(), 'ID of the cache.') })
