import { Readable } from 'node:stream'

import { isTreePath } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { stream, type StreamResponse } from '../../http/operation.js'
import { archive, ARCHIVE_TYPES, type ArchiveFormat, archiveFormat } from '../repositories/browse/archive.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { Repositories } from '../repositories/repositories.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'

export interface ArchiveRequest {
  /** Requested revision; undefined = the default branch. */
  revision: string | undefined
  format: string | undefined
  path?: string | undefined
  /** Leaves the SHA of the commit out of the name, as in source archives of releases. */
  hasShortName?: boolean
  /** Whether only the headers are sent. */
  isHead: boolean
}

/** Throws 404 for an unknown revision or path (API, E5). */
export async function archiveResponse(
  repositories: Repositories,
  project: Project,
  reading: Reading,
  { revision, format: suffix, path, hasShortName, isHead }: ArchiveRequest,
): Promise<StreamResponse> {
  const name = revision || (project.default_branch ?? 'HEAD')
  const sha = await requireCommit(repositories, project, revision || defaultRevision(project), () =>
    notFound('File'),
  )
  const only = path ? await existingPath(reading, sha, path) : undefined
  const format = archiveFormat(suffix)
  const prefix = prefixOf({ project, name, sha: hasShortName ? undefined : sha, path: only })
  const headers = headersOf(prefix, format, sha)
  // The length is unknown until the archive is complete.
  const body = isHead ? Readable.from([]) : archive(reading, { sha, format, prefix, path: only })
  return stream(body, ARCHIVE_TYPES[format], headers)
}

async function existingPath(reading: Reading, sha: string, path: string): Promise<string> {
  const plain = path.replace(/^\/+|\/+$/g, '')
  if (!isTreePath(plain) || !(await findEntry(reading, sha, plain))) throw notFound('File')
  return plain
}

interface ArchiveName {
  project: Project
  name: string
  sha: string | undefined
  path: string | undefined
}

/** Top folder of the archive, and its file name without extension. */
function prefixOf({ project, name, sha, path }: ArchiveName): string {
  return [project.path, name, sha, path]
    .filter((part) => part !== undefined)
    .map((part) => part.replaceAll('/', '-'))
    .join('-')
}

function headersOf(prefix: string, format: ArchiveFormat, sha: string): Record<string, string> {
  return {
    'content-disposition': disposition('attachment', `${prefix}.${format}`),
    'cache-control': 'no-cache',
    etag: `W/"${sha}.${format}"`,
  }
}
