import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { isTreePath } from '../../../git/names.js'
import { safeFileName } from '../../ci/storage/safe-file-name.js'
import { sniffType } from '../../ci/storage/sniff-type.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { apiError, notFound } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { stream, type StreamResponse } from '../../http/operation.js'
import type { UploadedFile } from '../../http/parameters/types.js'
import { shownHeaders } from '../../http/shown-types.js'
import { blobBytes, findBlob } from '../repositories/browse/blobs.js'
import { rawType } from '../repositories/browse/raw-type.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import { MAIN } from '../repositories/change/commit-to-main.js'
import { headOfWiki } from './head-of-wiki.js'
import type { WikiDeps } from './wiki-deps.js'
import { addFile, type WikiWriter } from './wikis.js'

/** Maximum size of an attachment, in bytes. Git processes the whole commit in memory. */
export const MAX_ATTACHMENT_BYTES = 32 * 1024 * 1024

const MEGABYTE = 1024 * 1024

/**
 * Commits a file that pages may show or link, below a name that is not in use. Throws 413 for one that is larger than
 * administrators allow.
 */
export async function attachFile(deps: WikiDeps, writer: WikiWriter, file: UploadedFile) {
  const { max_attachment_size: megabytes } = await effectiveSettings(deps.database, 'max_attachment_size')
  if (file.size > megabytes * MEGABYTE) throw apiError('body_too_large')
  const file_name = safeFileName(file.filename)
  const file_path = `uploads/${randomBytes(16).toString('hex')}/${file_name}`
  const content = await buffer(file.open())
  await addFile(deps, writer, file_path, content)
  const { isMedia } = await sniffType(file.open())
  const text = isMedia ? file_name.replace(/\.[^.]*$/, '') : file_name
  return {
    file_name,
    file_path,
    branch: MAIN,
    link: { url: file_path, markdown: `${isMedia ? '!' : ''}[${text}](${encodeURI(file_path)})` },
  }
}

/** The content of a file of the latest version of a wiki. Throws 404 for an unknown one. */
export async function wikiFile(
  { wikiRepositories }: WikiDeps,
  ownerId: number,
  path: string,
  signal: AbortSignal,
): Promise<StreamResponse> {
  const head = isTreePath(path) ? await headOfWiki(wikiRepositories, ownerId) : undefined
  const reading = wikiRepositories.reading(ownerId, signal)
  const entry = head === undefined ? undefined : await findEntry(reading, head, path)
  const blob = entry?.type === 'blob' ? await findBlob(reading, entry.id) : undefined
  if (!blob) throw notFound('File')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const type = await rawType(reading, blob, name)
  return stream(Readable.from(blobBytes(reading, blob), { objectMode: false }), type, {
    'content-length': String(blob.size),
    'content-disposition': disposition('inline', name),
    'x-content-type-options': 'nosniff',
    ...shownHeaders(type),
  })
}
