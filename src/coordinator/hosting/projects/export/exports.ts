import { Readable } from 'node:stream'

import type { Project } from '../../../access/caller.js'
import { type BlobStore, DOWNLOAD_SECONDS, type DownloadHeaders } from '../../../ci/storage/blob-store.js'
import { expectedDownloadUrl } from '../../../ci/storage/read-expected.js'
import { unlessDeleted } from '../../../ci/storage/unless-deleted.js'
import type { Database } from '../../../database/connect.js'
import { apiError, notFound } from '../../../http/errors.js'
import { stream, StreamResponse } from '../../../http/operation.js'
import { projectHeading } from '../record/project-heading.js'
import type { SimpleProject } from '../record/schema.js'
import type { ExportStatus, ExportStatusName, RequestExport } from './export-schema.js'
import { type ExportRow, findExport, requestExport } from './export-store.js'

export interface ExportDeps {
  database: Database
  blobs: BlobStore
  externalUrl: string
  /** The worker that builds the archives. */
  exports: { wake: () => void }
}

/** Requests an export. Throws 400 if the archive is to be uploaded elsewhere. */
export async function startExport(
  { database, exports }: ExportDeps,
  { id }: Project,
  { description, upload }: RequestExport,
): Promise<void> {
  if (upload?.url) throw apiError('export_upload_not_supported')
  await requestExport(database, id, description ?? null)
  exports.wake()
}

export async function exportStatus(
  { database, externalUrl }: ExportDeps,
  project: SimpleProject,
): Promise<ExportStatus> {
  const { id } = project
  const row = await findExport(database, id)
  const url = `${externalUrl}/api/v4/projects/${id}/export/download`
  return {
    ...projectHeading(project),
    export_status: statusOf(row),
    export_error: row?.error ?? null,
    ...(row?.blob_key && { _links: { api_url: url, web_url: url } }),
  }
}

function statusOf(row: ExportRow | undefined): ExportStatusName {
  if (!row) return 'none'
  if (row.requested_at === null) return row.blob_key === null ? 'none' : 'finished'
  if (row.blob_key !== null) return 'regeneration_in_progress'
  return row.claimed_until === null ? 'queued' : 'started'
}

/** Throws 404 if there is no archive or it has expired. */
export async function downloadExport(
  { database, blobs }: ExportDeps,
  { id, path }: Project,
  { mayRedirect = false }: { mayRedirect?: boolean } = {},
): Promise<StreamResponse> {
  const row = await findExport(database, id)
  if (!row || row.blob_key === null) throw notFound()
  const day = new Date(row.finished_at ?? 0).toISOString().slice(0, 10)
  const headers = {
    'content-disposition': `attachment; filename="${day}_${path}_export.tar.gz"`,
    ...(row.size === null ? {} : { 'content-length': String(row.size) }),
  }
  const { blob_key: key } = row
  const isNamed = async () => (await findExport(database, id))?.blob_key === key
  const sent = await unlessDeleted(() => send(blobs, { key, size: row.size }, headers, mayRedirect), isNamed)
  // It has just expired or been replaced.
  if (!sent) throw notFound()
  return sent
}

async function send(
  blobs: BlobStore,
  { key, size }: { key: string; size: number | null },
  headers: Record<'content-disposition', string>,
  mayRedirect: boolean,
): Promise<StreamResponse> {
  const type = 'application/gzip'
  const ofDownload = { contentType: type, contentDisposition: headers['content-disposition'] }
  const location = mayRedirect && (await addressOf(blobs, { key, size }, ofDownload))
  if (location) {
    const ofRedirect = { location, 'cache-control': 'no-store', 'content-length': '0' }
    return new StreamResponse(Readable.from([]), type, ofRedirect, 302)
  }
  const body = size === null ? await blobs.read(key) : await blobs.readWhole(key, { size })
  return stream(body, type, headers)
}

/** The size of an archive of an earlier release is not known. */
function addressOf(
  blobs: BlobStore,
  { key, size }: { key: string; size: number | null },
  headers: DownloadHeaders,
): Promise<string | undefined> {
  return size === null
    ? blobs.downloadUrl(key, DOWNLOAD_SECONDS, headers)
    : expectedDownloadUrl(blobs, key, { size }, headers)
}
