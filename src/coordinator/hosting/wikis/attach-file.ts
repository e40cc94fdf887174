import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

import { safeFileName } from '../../ci/storage/safe-file-name.js'
import { sniffType } from '../../ci/storage/sniff-type.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { apiError } from '../../http/errors.js'
import type { UploadedFile } from '../../http/parameters/types.js'
import { MAIN } from '../repositories/change/commit-to-main.js'
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
