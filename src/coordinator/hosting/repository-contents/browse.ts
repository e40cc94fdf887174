import { posix } from 'node:path'
import { Readable } from 'node:stream'

import { isTreePath } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { type ApiResponse, respond, stream, type StreamResponse } from '../../http/operation.js'
import { asBase64, type Blob, blobBytes, findBlob, SMALL_BLOB_BYTES } from '../repositories/browse/blobs.js'
import type { TreeOptions } from '../repositories/browse/list-tree.js'
import { rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry, type TreeEntry } from '../repositories/browse/tree-entries.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'

/** A folder of a commit. */
export interface Folder {
  /** ID of the commit. */
  sha: string
  /** ID of the tree, or of the commit for the root. */
  treeId: string
  /** Without slashes at its ends; empty for the root. */
  path: string
}

/** Throws 404 for an unknown revision or folder (API, E5). */
export async function requireFolder(
  { repositories }: Pick<PushDeps, 'repositories'>,
  project: Project,
  reading: Reading,
  { ref, path }: { ref?: string | undefined; path?: string | undefined },
): Promise<Folder> {
  const sha = await requireCommit(repositories, project, ref || defaultRevision(project), () =>
    notFound('Tree'),
  )
  const folder = (path ?? '').replace(/^\/+|\/+$/g, '')
  if (folder === '' || folder === '.') return { sha, treeId: sha, path: '' }
  const entry = isTreePath(folder) ? await findEntry(reading, sha, folder) : undefined
  if (entry?.type !== 'tree') throw notFound('invalid revision or path')
  return { sha, treeId: entry.id, path: folder }
}

/** The options for listing the entries of a folder. */
export function treeOptions({ treeId, path }: Folder, isRecursive = false): TreeOptions {
  return { treeId, prefix: path === '' ? '' : `${path}/`, isRecursive }
}

export function presentEntry({ id, type, path, mode }: TreeEntry) {
  return { id, name: posix.basename(path), type, path, mode }
}

/** Throws 404. */
export async function requireBlob(reading: Reading, sha: string): Promise<Blob> {
  const blob = await findBlob(reading, sha)
  if (!blob) throw notFound('Blob')
  return blob
}

/** Record of a blob by its ID; the content of a large blob is streamed. */
export async function blobResponse(reading: Reading, blob: Blob): Promise<ApiResponse | StreamResponse> {
  const facts = { size: blob.size, encoding: 'base64', sha: blob.id }
  if (blob.size > SMALL_BLOB_BYTES) {
    return stream(Readable.from(recordInPieces(reading, blob, facts)), 'application/json')
  }
  let content = ''
  for await (const piece of asBase64(blobBytes(reading, blob))) content += piece
  return respond(200, { ...facts, content })
}

async function* recordInPieces(reading: Reading, blob: Blob, facts: object): AsyncGenerator<string> {
  yield `${JSON.stringify(facts).slice(0, -1)},"content":"`
  yield* asBase64(blobBytes(reading, blob))
  yield '"}'
}

export async function rawBlobResponse(reading: Reading, blob: Blob): Promise<StreamResponse> {
  const bytes = Readable.from(blobBytes(reading, blob), { objectMode: false })
  return stream(bytes, await rawType(reading, blob, ''), {
    'content-length': String(blob.size),
    'content-disposition': disposition('inline', blob.id),
    'cache-control': 'no-store',
  })
}
