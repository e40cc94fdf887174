import { randomBytes } from 'node:crypto'

import { parseDuration } from '../../../ci-config/duration.js'
import type { VariableCollection } from '../../../ci-config/variables/variable-collection.js'
import type { Logger } from '../../../lib/logger.js'
import { DAY, SECOND } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { findJob } from '../engine/job-store.js'
import {
  deleteExpiredSites,
  failSite,
  findRequestedSites,
  publishSite,
  type SiteDeployment,
} from '../engine/sites/site-store.js'
import { prefixOf } from '../site-addresses/site-prefix.js'
import type { Artifact, Artifacts } from '../storage/artifacts/artifacts.js'
import type { BlobStore } from '../storage/blob-store.js'

export interface PublishDeps {
  database: Database
  blobs: BlobStore
  artifacts: Artifacts
  logger: Logger
  /** The variables of an ended job. */
  variablesOf: (job: JobRow) => Promise<VariableCollection>
  /** Largest site in bytes; 0 = no limit. */
  maxBytes: () => Promise<number>
  /** Adds what has become of the site to the pipeline of the job. */
  report: (job: JobRow, outcome: SiteOutcome) => Promise<void>
}

/** How the publication of a site has ended. */
export type SiteOutcome =
  | { state: 'success'; /** Of the site. */ pathPrefix: string }
  | { state: 'failed'; problem: string }

const BATCH = 20

/** How long the preview below a prefix is kept without `expire_in`. */
const PREVIEW_LIFE = DAY

/**
 * Periodic task, and after a job with a site: copies the artifacts of jobs that have requested it, and deletes sites that
 * have expired. The copy is independent of the job and its artifacts. A request is kept until it is done, so none is lost
 * if the coordinator is killed; a copy without a row is an orphan, which is deleted as others are.
 */
export async function publishSites(deps: PublishDeps): Promise<undefined> {
  const { database, blobs } = deps
  for (;;) {
    const requested = await findRequestedSites(database, BATCH)
    for (const site of requested) await publish(deps, site)
    if (requested.length < BATCH) break
  }
  for (const key of await deleteExpiredSites(database)) await blobs.delete(key)
  return undefined
}

async function publish(deps: PublishDeps, site: SiteDeployment): Promise<void> {
  const { database, blobs, logger } = deps
  const job = site.job_id === null ? undefined : await findJob(database, site.job_id)
  const plan = await planOf(deps, site, job)
  if ('problem' in plan) {
    const { problem } = plan
    logger.warn({ project: site.project_id, job: site.job_id }, `A site is not published: ${problem}`)
    const isFirst = await failSite(database, site, problem)
    if (isFirst && job) await deps.report(job, { state: 'failed', problem })
    return
  }
  const { archive, ...publication } = plan
  const key = `projects/${site.project_id}/sites/${randomBytes(16).toString('hex')}`
  await blobs.copy(archive.blob_key, key)
  const { size, sha256 } = archive
  const unused = await publishSite(database, site, { ...publication, blob_key: key, size, sha256 })
  for (const each of unused ?? [key]) await blobs.delete(each)
  // Another coordinator may have published it.
  if (unused && job) await deps.report(job, { state: 'success', pathPrefix: plan.path_prefix })
}

type Plan =
  | (Pick<SiteDeployment, 'path_prefix' | 'root' | 'expires_at'> & { archive: Artifact })
  | { problem: string }

/** What is to be published, or why nothing can be. */
async function planOf(deps: PublishDeps, site: SiteDeployment, job: JobRow | undefined): Promise<Plan> {
  const archive = job && (await deps.artifacts.find(job.id))
  if (!job || !archive) return { problem: 'The job has no artifacts.' }
  const max = await deps.maxBytes()
  if (max > 0 && archive.size > max) {
    return { problem: `The artifacts have ${archive.size} bytes, and a site may have ${max}.` }
  }
  const variables = await deps.variablesOf(job)
  const root = folderOf(variables.expand(site.root, 'empty'))
  if (root !== '' && !(await deps.artifacts.hasFolder(archive, root))) {
    return { problem: `The artifacts have no folder ${JSON.stringify(root)}.` }
  }
  const path_prefix = prefixOf(variables.expand(site.path_prefix, 'empty'))
  const expires_at = expiryOf(
    site.expire_in === null ? undefined : variables.expand(site.expire_in, 'empty'),
    path_prefix,
  )
  if (expires_at === undefined) return { problem: `expire_in is not a duration: ${site.expire_in ?? ''}` }
  return { archive, root, path_prefix, expires_at }
}

/** Of `./public/`, the archive has `public`. */
function folderOf(path: string): string {
  const folder = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  return folder === '.' ? '' : folder
}

/** Milliseconds since 1970; null = never, undefined for what is no duration. */
function expiryOf(text: string | undefined, prefix: string, now = Date.now()): number | null | undefined {
  if (text === undefined || text === '') return prefix === '' ? null : now + PREVIEW_LIFE
  if (text.trim().toLowerCase() === 'never') return null
  const seconds = parseDuration(text)
  return seconds === undefined ? undefined : now + seconds * SECOND
}
