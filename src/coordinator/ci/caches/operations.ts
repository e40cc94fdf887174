import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { raiseCacheIndex } from '../../database/stores/project-store.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import type { Caches } from '../storage/caches/caches.js'
import { presentCache } from './present.js'
import { CacheId, ProjectCache } from './schema.js'
import { listCaches } from './store.js'

export interface ProjectCacheDeps {
  database: Database
  caches: Caches
}

/** Caches of a project (API, N14). */
export function projectCacheOperations({ database, caches }: ProjectCacheDeps): Operation[] {
  return [
    operation('GET /projects/:id/caches', {
      summary: 'List the caches of a project',
      access: 'read_caches',
      responses: { 200: Type.Array(ProjectCache) },
      paginated: true,
      cacheable: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listCaches(database, project.id, paging)
        return page(rows.map(presentCache), total)
      },
    }),
    operation('DELETE /projects/:id/caches', {
      summary: 'Clear the caches of a project',
      access: 'delete_caches',
      responses: { 204: NoBody },
      run: async ({ project }) => {
        // First, so that no job that starts now gets an old key.
        await raiseCacheIndex(database, project.id)
        await caches.clearProject(project.id)
        return respond(204)
      },
    }),
    operation('DELETE /projects/:id/caches/:cache_id', {
      summary: 'Delete a cache of a project',
      access: 'delete_caches',
      params: CacheId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        if (!(await caches.deleteOne(project.id, params.cache_id))) throw notFound('Cache')
        return respond(204)
      },
    }),
  ]
}
