import { ZERO_ID } from '../../../git/names.js'
import { runGit } from '../../../git/run-git.js'
import { conflict, invalidRecord, notFound } from '../../http/errors.js'
import { type Blob, blobBytes, findBlob } from '../repositories/browse/blobs.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import { FileChangeError } from '../repositories/change/errors.js'
import { type Signature, writeCommit } from '../repositories/change/write-commit.js'
import { type FileAction, writeTree } from '../repositories/change/write-tree.js'
import type { Repositories } from '../repositories/repositories.js'

/** The branch with the files of a snippet. */
export const BRANCH = 'main'

const REF = `refs/heads/${BRANCH}`

/** Maximum number of files of a snippet over the API. */
export const MOST_FILES = 100

/** Head of the branch; undefined if there is none. */
async function headOf(repositories: Repositories, id: number): Promise<string | undefined> {
  return (await repositories.resolveRef(id, REF))?.sha
}

/** Paths of all files, in the order of the tree. */
export async function pathsOf(repositories: Repositories, id: number): Promise<string[]> {
  const head = await headOf(repositories, id)
  return head === undefined ? [] : repositories.listFiles(id, head)
}

/** A file of a branch or commit; of the branch of the snippet by default. Throws 404 for an unknown one. */
export async function openFile(
  repositories: Repositories,
  id: number,
  { path, ref }: { path: string; ref?: string },
  signal: AbortSignal,
): Promise<{ blob: Blob; bytes: AsyncGenerator<Buffer> }> {
  const sha = ref === undefined ? await headOf(repositories, id) : await repositories.resolveCommit(id, ref)
  const reading = repositories.reading(id, signal)
  const entry = sha === undefined ? undefined : await findEntry(reading, sha, path)
  const blob = entry?.type === 'blob' ? await findBlob(reading, entry.id) : undefined
  if (!blob) throw notFound('File')
  return { blob, bytes: blobBytes(reading, blob) }
}

/**
 * Commits changes of files. Throws 400 for one that is not possible or leaves no file, and 409 if somebody else changes
 * the snippet at the same moment.
 */
export async function commitFiles(
  repositories: Repositories,
  id: number,
  actions: FileAction[],
  { author, message, signal }: { author: Signature; message: string; signal: AbortSignal },
): Promise<void> {
  const before = await headOf(repositories, id)
  const reading = repositories.reading(id, signal)
  const gitDir = repositories.path(id)
  const head = await repositories.withSlot(
    id,
    'writing',
    async () => {
      const inSlot = { ...reading, acquireSlot: () => Promise.resolve(() => undefined) }
      const tree = await written(inSlot, before, actions)
      const commit = {
        tree,
        parents: before === undefined ? [] : [before],
        message,
        author,
        committer: author,
      }
      return writeCommit(gitDir, commit)
    },
    signal,
  )
  const left = await repositories.listFiles(id, head)
  if (left.length === 0) throw invalidRecord({ files: ['must have at least one file'] })
  try {
    await runGit(['--git-dir', gitDir, 'update-ref', REF, head, before ?? ZERO_ID])
  } catch (error) {
    if ((await headOf(repositories, id)) !== before) throw conflict('The snippet has changed in the meantime')
    throw error
  }
}

async function written(
  reading: Parameters<typeof writeTree>[0],
  base: string | undefined,
  actions: FileAction[],
): Promise<string> {
  try {
    return await writeTree(reading, base, actions)
  } catch (error) {
    if (error instanceof FileChangeError) throw invalidRecord({ files: [error.message] })
    throw error
  }
}
