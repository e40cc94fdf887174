import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { deleteSites, findFailedSites, findPublishedSites } from '../engine/sites/site-store.js'
import { type SiteOrigins, siteUrl } from '../site-addresses/site-origins.js'
import type { BlobStore } from '../storage/blob-store.js'
import { DeletedSites, Site } from './schema.js'
import { mayReadSite } from './site-access.js'

export interface SiteOperationsDeps {
  database: Database
  blobs: BlobStore
  origins: SiteOrigins
}

/** Sites that jobs have published. */
export function siteOperations(deps: SiteOperationsDeps): Operation[] {
  const { database, blobs } = deps
  return [
    operation('GET /projects/:id/pages', {
      summary: 'Get the published sites of a project',
      access: 'edit_project',
      responses: { 200: Site },
      run: ({ project }) => describeSite(deps, project),
    }),
    operation('DELETE /projects/:id/pages', {
      summary: 'Delete the published sites of a project',
      access: 'edit_project',
      params: DeletedSites,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        for (const key of await deleteSites(database, project.id, params.path_prefix)) await blobs.delete(key)
      },
    }),
    operation('GET /projects/:id/pages_access', {
      summary: 'Check whether the caller may read the published sites of a project',
      access: 'read_project',
      responses: { 200: NoBody },
      run: async ({ project, accessLevel, membership }) => {
        if (!mayReadSite(project, { accessLevel, membership })) throw notFound()
      },
    }),
  ]
}

async function describeSite({ database, origins }: SiteOperationsDeps, project: Project): Promise<Site> {
  const published = await findPublishedSites(database, project.id)
  const failed = await findFailedSites(database, project.id)
  const url = siteUrl(origins, project.full_path)
  return {
    url,
    is_unique_domain_enabled: false,
    force_https: url.startsWith('https:'),
    deployments: published.map((site) => ({
      created_at: isoTime(site.created_at),
      url: siteUrl(origins, project.full_path, site.path_prefix),
      path_prefix: site.path_prefix === '' ? null : site.path_prefix,
      root_directory: site.root,
      expires_at: isoTimeOrNull(site.expires_at),
      size: site.size,
      job_id: site.job_id,
    })),
    primary_domain: null,
    failed: failed.map(({ created_at: at, job_id, problem }) => ({
      created_at: isoTime(at),
      job_id,
      problem: problem ?? '',
    })),
  }
}
