import type { FastifyReply, FastifyRequest } from 'fastify'

import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { clientGone } from '../../../http/client-gone.js'
import { apiError, notFound } from '../../../http/errors.js'
import { stream, type StreamResponse } from '../../../http/operation.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import type { FolderListing, ListingRange } from '../../storage/artifacts/archive-directory.js'
import type { Artifact } from '../../storage/artifacts/artifacts.js'
import { attachment } from '../send-bytes.js'
import { archiveOf, downloadArchive, type DownloadDeps, redirectOf } from './artifact-downloads.js'
import type { ArtifactTreeEntry } from './tree-schema.js'

/**
 * The entries of a folder of the archive of a job, folders first; without a path, of the archive. Throws 404 if the job
 * has no archive or the archive no such folder, 400 for a path that leaves the archive, and 422 for an archive with too
 * many files.
 */
export async function listArchive(
  deps: DownloadDeps,
  job: JobRow,
  { path = '', search = '' }: { path?: string; search?: string },
  { paging, reply }: { paging: Paging; reply: FastifyReply },
): Promise<Page> {
  const folder = withoutSlash(path)
  const archive = await archiveOf(deps.artifacts, job)
  const range = { offset: paging.offset, count: paging.perPage, search }
  const { entries, total } = await listingOf(deps, archive, { folder, range, reply })
  const rows = entries.map((entry): ArtifactTreeEntry => {
    const { name, type, size } = entry
    const place = { name, path: folder === '' ? name : `${folder}/${name}`, type, size }
    return entry.entries === undefined ? place : { ...place, entries: entry.entries }
  })
  return page(rows, total)
}

/**
 * A zip of a folder of the archive of a job, as a download; without a path, the archive. Throws as `listArchive` does.
 */
export async function downloadFolder(
  deps: DownloadDeps,
  job: JobRow,
  path: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<StreamResponse> {
  const folder = withoutSlash(path)
  if (folder === '') return downloadArchive(deps, job, request.headers, redirectOf(request))
  const archive = await archiveOf(deps.artifacts, job)
  await listingOf(deps, archive, { folder, range: { offset: 0, count: 0 }, reply })
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  return stream(await deps.artifacts.zipFolder(archive, folder), 'application/zip', {
    'content-disposition': attachment(`${name}.zip`),
    'cache-control': 'no-store',
  })
}

async function listingOf(
  { artifacts }: DownloadDeps,
  archive: Artifact,
  { folder, range, reply }: { folder: string; range: ListingRange; reply: FastifyReply },
): Promise<FolderListing> {
  const result = await artifacts.listFolder(archive, folder, range, clientGone(reply))
  switch (result.kind) {
    case 'invalid-path':
      throw apiError('artifact_path_invalid')
    case 'missing':
      throw notFound()
    case 'too-large':
      throw apiError('archive_too_long_to_list')
    case 'found':
      return result.listing
  }
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}
