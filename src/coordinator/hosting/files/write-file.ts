import { type ApiError, apiError, invalidParameters } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { RefChanger } from '../repositories/change/change-refs.js'
import { commitFiles } from '../repositories/change/commit-files.js'
import { decodeContent } from '../repositories/change/decode-content.js'
import { FileChangeError, RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import type { FileAction } from '../repositories/change/write-tree.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { checkFilePath } from './find-file.js'
import type { DeleteFile, FileWritten, WriteFile } from './schema.js'

/** Throws 400 if the commit cannot be made (API, E4). */
export async function writeFile(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  { action, params }: { action: 'create' | 'update'; params: WriteFile },
): Promise<FileWritten> {
  const content = decodeContent(params.content, params.encoding)
  if (!content) throw invalidParameters('content is invalid')
  const change = { action, path: params.file_path, content, isExecutable: params.execute_filemode }
  return commitOne(deps, changer, reading, change, params)
}

export async function deleteFile(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  params: DeleteFile,
): Promise<void> {
  await commitOne(deps, changer, reading, { action: 'delete', path: params.file_path }, params)
}

async function commitOne(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  action: FileAction,
  params: DeleteFile,
): Promise<FileWritten> {
  const { file_path: path, branch, last_commit_id: last } = params
  checkFilePath(path)
  const { user } = changer
  try {
    await commitFiles(deps, changer, reading, {
      branch,
      message: params.commit_message,
      actions: [action],
      refuseUnchanged: true,
      author: { name: params.author_name || user.name, email: params.author_email || user.email },
      lastCommits: last ? [{ path, commit: last }] : [],
      start: params.start_branch ? { branch: params.start_branch } : undefined,
    })
  } catch (error) {
    throw refusalOf(error)
  }
  return { file_path: path, branch }
}

const STALE = 'You are attempting to update a file that has changed since you started editing it.'

function refusalOf(error: unknown): unknown {
  if (error instanceof RefsRefusedError) return refused('You are not allowed to push into this branch', error)
  if (error instanceof FileChangeError) return refused(error.isStale ? STALE : error.message, error)
  return error instanceof RefsMovedError ? refused(error.message, error) : error
}

function refused(reason: string, cause: Error): ApiError {
  return apiError('change_refused', { reason }, { cause })
}
