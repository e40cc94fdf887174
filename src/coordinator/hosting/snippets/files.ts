import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { type Blob, blobBytes, findBlob } from '../repositories/browse/blobs.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import { commitToMain, headOfMain } from '../repositories/change/commit-to-main.js'
import { FileChangeError, RefsMovedError } from '../repositories/change/errors.js'
import type { Signature } from '../repositories/change/write-commit.js'
import type { FileAction } from '../repositories/change/write-tree.js'
import type { Repositories } from '../repositories/repositories.js'

/** Paths of all files, in the order of the tree. */
export async function pathsOf(repositories: Repositories, id: number): Promise<string[]> {
  const head = await headOfMain(repositories, id)
  return head === undefined ? [] : repositories.listFiles(id, head)
}

/** A file of a branch or commit; of the branch of the snippet by default. Throws 404 for an unknown one. */
export async function openFile(
  repositories: Repositories,
  id: number,
  { path, ref }: { path: string; ref?: string },
  signal: AbortSignal,
): Promise<{ blob: Blob; bytes: AsyncGenerator<Buffer> }> {
  const sha =
    ref === undefined ? await headOfMain(repositories, id) : await repositories.resolveCommit(id, ref)
  const reading = repositories.reading(id, signal)
  const entry = sha === undefined ? undefined : await findEntry(reading, sha, path)
  const blob = entry?.type === 'blob' ? await findBlob(reading, entry.id) : undefined
  if (!blob) throw notFound('File')
  return { blob, bytes: blobBytes(reading, blob) }
}

/**
 * Commits changes of files. Throws 400 for one that is not possible or leaves no file, and 409 if another user changes
 * the snippet at the same moment.
 */
export async function commitSnippetFiles(
  repositories: Repositories,
  id: number,
  actions: FileAction[],
  commit: { author: Signature; message: string; signal: AbortSignal },
): Promise<void> {
  const before = await headOfMain(repositories, id)
  const check = async (sha: string) => {
    if ((await repositories.listFiles(id, sha)).length > 0) return
    throw invalidRecord({ files: ['must have at least one file'] })
  }
  try {
    await commitToMain(repositories, id, actions, { ...commit, before, check })
  } catch (error) {
    if (error instanceof FileChangeError) throw invalidRecord({ files: [error.message] })
    if (error instanceof RefsMovedError) throw apiError('snippet_changed')
    throw error
  }
}
