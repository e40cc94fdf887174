import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { SiteDeploymentTable } from '../../../database/tables/site-deployments.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'

export type SiteDeployment = Selectable<SiteDeploymentTable>

/** Publishes the site of a job that has succeeded, in the transaction of its end (CI language, 3.15). */
export async function requestSite(tx: Transaction, job: JobRow): Promise<void> {
  const { pages } = job.options
  if (!pages) return
  await tx
    .insertInto('site_deployment')
    .values({
      project_id: job.project_id,
      job_id: job.id,
      state: 'requested',
      path_prefix: pages.pathPrefix ?? '',
      root: pages.publish,
      expire_in: pages.expireIn ?? null,
      problem: null,
      blob_key: '',
      size: 0,
      sha256: '',
      created_at: Date.now(),
      expires_at: null,
    })
    .execute()
}

export function findRequestedSites(database: Database, limit: number): Promise<SiteDeployment[]> {
  return database
    .selectFrom('site_deployment')
    .selectAll()
    .where('state', '=', 'requested')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Sites that are served at this time, the main one first. */
export function findPublishedSites(
  database: Database,
  projectId: number,
  now = Date.now(),
): Promise<SiteDeployment[]> {
  return database
    .selectFrom('site_deployment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'published')
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('path_prefix')
    .orderBy('id', 'desc')
    .execute()
}

/** Failed sites that are kept for each project, with the reasons. */
const MAX_FAILED = 20

export function findFailedSites(database: Database, projectId: number): Promise<SiteDeployment[]> {
  return database
    .selectFrom('site_deployment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(MAX_FAILED)
    .execute()
}

type Publication = Pick<
  SiteDeployment,
  'path_prefix' | 'blob_key' | 'size' | 'sha256' | 'expires_at' | 'root'
>

/**
 * Publishes a requested site in place of an earlier one with the same prefix. Returns the keys of the blobs that are no
 * longer used, or undefined if the request was deleted or published in the meantime.
 */
export function publishSite(
  database: Database,
  { id, project_id }: SiteDeployment,
  publication: Publication,
): Promise<string[] | undefined> {
  return inTransaction(database, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('site_deployment')
      .set({ ...publication, state: 'published' })
      .where('id', '=', id)
      .where('state', '=', 'requested')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return undefined
    const replaced = await tx
      .deleteFrom('site_deployment')
      .where('project_id', '=', project_id)
      .where('path_prefix', '=', publication.path_prefix)
      .where('state', '!=', 'requested')
      .where('id', '<', id)
      .returning('blob_key')
      .execute()
    return blobsOf(replaced)
  })
}

/** Records why a requested site is not published. An earlier one stays. False if that was recorded before. */
export async function failSite(
  database: Database,
  { id, project_id }: SiteDeployment,
  problem: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('site_deployment')
    .set({ state: 'failed', problem })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  await database
    .deleteFrom('site_deployment')
    .where('project_id', '=', project_id)
    .where('state', '=', 'failed')
    .where('id', 'not in', (query) =>
      query
        .selectFrom('site_deployment')
        .select('id')
        .where('project_id', '=', project_id)
        .where('state', '=', 'failed')
        .orderBy('id', 'desc')
        .limit(MAX_FAILED),
    )
    .execute()
  return numUpdatedRows > 0n
}

/** Deletes the sites of a project, or the one with this prefix. Returns the keys of their blobs. */
export async function deleteSites(
  database: Database,
  projectId: number,
  pathPrefix?: string,
): Promise<string[]> {
  const deleted = await database
    .deleteFrom('site_deployment')
    .where('project_id', '=', projectId)
    .$if(pathPrefix !== undefined, (query) => query.where('path_prefix', '=', pathPrefix ?? ''))
    .returning('blob_key')
    .execute()
  return blobsOf(deleted)
}

/** Deletes sites that have expired. Returns the keys of their blobs. */
export async function deleteExpiredSites(database: Database, now = Date.now()): Promise<string[]> {
  const deleted = await database
    .deleteFrom('site_deployment')
    .where('expires_at', '<=', now)
    .returning('blob_key')
    .execute()
  return blobsOf(deleted)
}

/** The keys of the blobs of sites. One that was never published has none. */
function blobsOf(sites: readonly Pick<SiteDeployment, 'blob_key'>[]): string[] {
  return sites.map(({ blob_key: key }) => key).filter((key) => key !== '')
}
