import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { bytesBetween } from '../../../../lib/bytes-between.js'
import type { Project } from '../../../access/caller.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { clientGone } from '../../../http/client-gone.js'
import { apiError, notFound } from '../../../http/errors.js'
import { disposition } from '../../../http/header-text.js'
import type { StreamResponse } from '../../../http/operation.js'
import { shownHeaders, shownType } from '../../../http/shown-types.js'
import { resolveStoredRef, type StoredRefDeps } from '../../engine/stored-ref.js'
import type { Artifact, Artifacts } from '../../storage/artifacts/artifacts.js'
import type { OpenEntry } from '../../storage/artifacts/zip-entry.js'
import type { ByteRange } from '../../storage/blob-store.js'
import { type AskedBytes, attachment, type RangedBytes, sendArtifact, sendBytes } from '../send-bytes.js'
import { findChildren, findJobWithArchive, findSuccessful } from '../store.js'
import { contentTypeOf } from './content-type.js'

export interface DownloadDeps {
  artifacts: Artifacts
}

/** The archive of a job; throws 404 if there is none. */
export async function downloadArchive(
  { artifacts }: DownloadDeps,
  job: JobRow,
  asked: AskedBytes,
  options: { mayRedirect: boolean },
): Promise<StreamResponse> {
  return sendArtifact(artifacts, await archiveOf(artifacts, job), asked, options)
}

/** The address of a download is signed for GET, not for HEAD. */
export function redirectOf({ method }: Pick<FastifyRequest, 'method'>): { mayRedirect: boolean } {
  return { mayRedirect: method === 'GET' }
}

interface FileRequest {
  request: FastifyRequest
  reply: FastifyReply
  /** Shows the file in place if it is one that `shownType` names; other files stay downloads. */
  isInline?: boolean
}

/**
 * Sends one file of the archive of a job, or the requested range of it. Throws 400 for a path that leaves the
 * archive.
 */
export async function downloadFile(
  { artifacts }: DownloadDeps,
  job: JobRow,
  path: string,
  { request, reply, isInline = false }: FileRequest,
): Promise<StreamResponse> {
  const archive = await archiveOf(artifacts, job)
  const result = await artifacts.openEntry(archive, path, clientGone(reply))
  switch (result.kind) {
    case 'invalid-path':
      throw apiError('artifact_path_invalid')
    case 'missing':
      throw notFound()
    case 'found':
      return sendEntry(result.entry, { archive, path, isInline }, request.headers)
  }
}

async function sendEntry(
  entry: OpenEntry,
  { archive, path, isInline }: { archive: Artifact; path: string; isInline: boolean },
  asked: AskedBytes,
): Promise<StreamResponse> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shown = isInline ? shownType(name) : undefined
  const headers = {
    'content-disposition': shown === undefined ? attachment(name) : disposition('inline', name),
    'cache-control': 'no-store',
    ...(shown !== undefined && shownHeaders(shown)),
  }
  return sendUnpacked(
    entry,
    { contentType: contentTypeOf(path), etag: tagOfEntry(archive, path), headers },
    asked,
  )
}

/** Names a file of an archive by its content. */
export function tagOfEntry({ sha256 }: Pick<Artifact, 'sha256'>, path: string): string {
  return `"${hash('sha256', `${sha256} ${path}`)}"`
}

/** Sends a file of an archive, or the requested range of it. */
export async function sendUnpacked(
  { body, size }: OpenEntry,
  facts: Pick<RangedBytes, 'contentType' | 'etag' | 'headers'>,
  asked: AskedBytes,
): Promise<StreamResponse> {
  // Entries can only be unpacked from the start, so the bytes before the range are discarded.
  const open = async ({ start, end }: ByteRange): Promise<Readable> =>
    start === 0 && end === size - 1 ? body : bytesBetween(body, { start, end })
  try {
    const sent = await sendBytes({ size, ...facts, open }, asked)
    if (size === 0 || sent.status === 304) body.destroy()
    return sent
  } catch (error) {
    body.destroy()
    throw error
  }
}

/** Successful pipelines that a search goes back. */
const RECENT = 100

interface NamedJob {
  /** A branch or tag, in the form that `resolveStoredRef` accepts. */
  ref: string
  name: string
  /** Whether to search earlier successful pipelines if the latest one does not have the job. */
  isSearch: boolean
}

/**
 * Returns the job with this name and an archive in the latest successful pipeline of a branch or tag. Throws
 * 404 if there is none. Searches the child pipelines if the pipeline itself has no such job (API, I4).
 */
export async function findJobOfRef(
  deps: StoredRefDeps,
  project: Project,
  { ref, name, isSearch }: NamedJob,
): Promise<JobRow> {
  const { database } = deps
  const on = await resolveStoredRef(deps, project.id, ref)
  let pipelineIds = await findSuccessful(database, project.id, on, isSearch ? RECENT : 1)
  while (pipelineIds.length > 0) {
    const job = await findJobWithArchive(database, pipelineIds, name)
    if (job) return job
    pipelineIds = await findChildren(database, pipelineIds)
  }
  throw notFound()
}

/** Throws 404 if the job has no archive. */
export async function archiveOf(artifacts: Artifacts, job: JobRow): Promise<Artifact> {
  const archive = await artifacts.find(job.id)
  if (!archive) throw notFound()
  return archive
}
