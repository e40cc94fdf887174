import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { CachedArchive } from '../storage/caches/caches.js'

/** Caches of a project, the last used ones first. */
export function listCaches(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<CachedArchive>> {
  const caches = database.selectFrom('cache_archive').where('project_id', '=', projectId)
  return listRows(database, caches, paging, { table: 'cache_archive', column: 'used_at', direction: 'desc' })
}
